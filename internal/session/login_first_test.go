package session_test

// Pages that come between a sign-in and what was meant, each with a way to sign out, and pages that
// only speak of such things.

// interposedPages say that something must be done first, and show nothing else.
var interposedPages = []string{
	`<h1>App</h1><h2>Verify your email address</h2><p>We have sent a link to ann@x.test.</p>`,
	`<div class=card><div class=card-header>Verify Your Email Address</div><div class=card-body>A fresh link is on its way to you.<form><button>Send another one</button></form></div></div>`,
	`<main><h1>Verify Your Email</h1><p>We sent an email to ann@x.test.</p><a href=#>Resend email</a></main><div class=footer><a href=#>Privacy</a> <a href=#>Terms</a> <a href=#>Help</a> © 2026</div>`,
	`<h1>App</h1><h2>Set up two-factor authentication</h2><p>Scan this QR code</p>`,
	`<h1>Set up two-factor authentication</h1><h2>1. Install an app</h2><p>Any of them will do.</p><h2>2. Scan the QR code</h2><img width=99 height=99><p>Or type JBSW Y3DP</p><button>Continue</button>`,
	`<h1>App</h1><h2>Use your passkey</h2><button>Try again</button>`,
	`<div><div><h3>Enable 2FA to continue</h3></div><p>Your organisation requires it.</p><button>Start</button></div>`,
	`<h1>App</h1><h2>Security question</h2><label>What was the name of your first pet? <input name=a></label><button>Continue</button>`,
	`<h1>App</h1><p>Your password has expired and must be changed.</p>`,
	`<h2>Change your password</h2><form><label>New password <input type=password autocomplete=new-password></label><label>Again <input type=password autocomplete=new-password></label><button>Save</button></form>`,
	`<h1>App</h1><p>You must accept the updated terms of service.</p>`,
	`<h1>We have updated our terms</h1><div style="height:90px;overflow:auto"><p>One</p><p>Two</p><p>Three</p><p>Four</p><p>Five</p><p>Six</p><p>Seven</p><p>Eight</p><p>Nine</p><p>Ten</p><p>Eleven</p><p>Twelve</p><p>13</p><p>14</p><p>15</p><p>16</p><p>17</p><p>18</p><p>19</p><p>20</p><p>21</p><p>22</p><p>23</p><p>24</p><p>25</p></div><button>I agree</button>`,
	`<h1>App</h1><p>Sign-in is temporarily unavailable.</p>`,
	`<h1>Portal</h1><h2>E-Mail-Adresse bestätigen</h2><p>Der Link ist unterwegs.</p>`,
	`<h1>Zwei-Faktor-Authentifizierung einrichten</h1><p>Ihre Firma verlangt das.</p><button>Weiter</button>`,
	`<h1>Portal</h1><p>Ihr Passwort ist abgelaufen und muss geändert werden.</p>`,
	`<h1>Portal</h1><p>Sie müssen den neuen Nutzungsbedingungen zustimmen.</p>`,
	`<h1>Portal</h1><p>Die Anmeldung ist derzeit nicht verfügbar.</p>`,
	`<h1>Portail</h1><h2>Vérifiez votre adresse e-mail</h2><p>Le lien est en route.</p>`,
	`<h2>Configurer l’authentification à deux facteurs</h2><p>Votre société le demande.</p>`,
	`<h1>Portail</h1><p>Votre mot de passe a expiré.</p>`,
	`<h1>Acceptez les nouvelles conditions d’utilisation</h1><button>J’accepte</button>`,
	`<h1>Portal</h1><h2>Verifica tu correo electrónico</h2><p>El enlace está en camino.</p>`,
	`<h1>Pregunta de seguridad</h1><label>¿Cómo se llamaba tu perro? <input></label><button>Seguir</button>`,
	`<h1>Portal</h1><p>Tu contraseña ha caducado.</p>`,
	`<h1>系统</h1><h2>验证您的电子邮箱</h2><p>链接已在路上。</p>`,
	`<h2>请先修改初始密码</h2><button>下一步</button>`,
	`<h2>绑定手机号</h2><label>手机号 <input></label><button>提交</button>`,
	`<h1>システム</h1><h2>メールアドレスの確認</h2><p>リンクをご覧ください。</p>`,
	`<h2>パスワードの変更が必要です</h2><button>次へ</button>`,
	`<h2>利用規約への同意</h2><button>同意する</button>`,
}

// openedPages are those of somebody who is signed in: what comes first elsewhere is offered, explained,
// or stands in a banner above what was meant.
var openedPages = []string{
	`<h1>Settings</h1><a href=/2fa>Set up two-factor authentication</a><a href=/pw>Change your password</a>`,
	`<h1>Settings</h1><h2>Set up two-factor authentication</h2><p>Scan this QR code to add another device.</p>`,
	`<h1>Ann</h1><h2>Profile</h2><p>Ann, Berlin</p><h2>Set up two-factor authentication</h2><p>It keeps others out.</p><button>Set up</button>`,
	`<div class=banner>Please verify your email address</div><h1>Dashboard</h1><h2>Orders</h2><p>14</p>`,
	`<div class=alert><h4>Verify your email address</h4><button>Send again</button></div><h1>Dashboard</h1><p>14 orders</p>`,
	`<div class=page-title>Verify your email address</div><div><span>Orders</span><b>14</b><span>Sales</span><b>9</b><span>Users</span><b>3</b></div>`,
	`<h1>Shop</h1><h3>Verify your email address</h3><p>It is quick.</p><table><tr><th>Order<th>State<tr><td>1<td>Sent<tr><td>2<td>Sent</table>`,
	`<h1>Help</h1><h3>Change your password</h3><p>Open the settings.</p><h3>Use your passkey</h3><p>Touch it.</p>`,
	`<h1>Help</h1><h2>Verify your email address</h2><p>Follow the link in the mail.</p>`,
	`<h1>Home</h1><p>Please verify your email address.</p><p>3 orders are open.</p>`,
	`<h1>Home</h1><div>You must accept the updated terms of service.</div><div><p>Orders</p><p>14</p><p>Sales</p><p>9</p><p>Users</p><p>3</p><p>Visits</p><p>12</p></div>`,
	`<h1>Status</h1><ul><li>Service is temporarily unavailable: mail</li><li>Shop is up</li></ul>`,
	`<h1>Home</h1><h2>Terms of service</h2><p>They are as they were.</p>`,
	`<h1>Einstellungen</h1><h2>Zwei-Faktor-Authentifizierung einrichten</h2><p>Mehr Schutz.</p>`,
	`<h1>Start</h1><p>Ihr Passwort ist noch 5 Tage gültig.</p>`,
	`<h1>Accueil</h1><div class=alert>Vérifiez votre adresse e-mail</div><h2>Commandes</h2><p>14</p>`,
	`<h1>Inicio</h1><a href=#>Verifica tu correo electrónico</a><p>3 pedidos</p>`,
	`<h1>首页</h1><a href=#>修改密码</a><p>3个订单</p>`,
	`<h1>ホーム</h1><div class=banner>メールアドレスの確認</div><h2>注文</h2><p>3</p>`,
}
