package session_test

// Tests of sentences on pages with a way to sign out, after a sign-in: the sentences with which
// account systems refuse a sign-in, and sentences that only mention a refusal.

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// refusingSentences are sentences of WordPress, Django, Laravel, phpBB, Drupal, Joomla, Devise,
// Keycloak, Auth0, ASP.NET, Spring, Shibboleth, Moodle, MediaWiki, Nextcloud, Gitea, GitLab and
// others. They say that the sign-in was refused or is not complete.
var refusingSentences = []string{
	`The password you entered for the username ann is incorrect. Lost your password?`,
	`Error: The password you entered for the username ann is incorrect.`,
	`Error: The password you entered for the email address ann@x.org is incorrect. Lost your password?`,
	`Unknown username. Check again or try your email address.`,
	`Unknown email address. Check again or try your username.`,
	`ERROR: Invalid username. Lost your password?`,
	`Error: The username ann is not registered on this site. If you are unsure of your username, try your email address instead.`,
	`Please enter a correct username and password. Note that both fields may be case-sensitive.`,
	`Please enter a correct email address and password. Note that both fields may be case-sensitive.`,
	`This account is inactive.`,
	`These credentials do not match our records.`,
	`The provided password is incorrect.`,
	`Too many login attempts. Please try again in 52 seconds.`,
	`You have specified an incorrect password. Please check your password and try again. If you continue to have problems please contact the Board Administrator.`,
	`You have specified an incorrect username. Please check your username and try again.`,
	`The specified username is currently inactive. If you have problems activating your account, please contact a board administrator.`,
	`You exceeded the maximum allowed number of login attempts. In addition to your username and password you now also have to solve the CAPTCHA below.`,
	`Unrecognized username or password. Have you forgotten your password?`,
	`Unrecognized username or password. Forgot your password?`,
	`The username ann has not been activated or is blocked.`,
	`There have been more than 5 failed login attempts for this account. It is temporarily blocked. Try again later or request a new password.`,
	`Too many failed login attempts from your IP address. This IP address is temporarily blocked. Try again later or request a new password.`,
	`Username and password do not match or you do not have an account yet.`,
	`Warning: Username and password do not match or you do not have an account yet.`,
	`Login denied! Your account has either been blocked or you have not activated it yet.`,
	`Invalid Email or password.`,
	`Your account is not activated yet.`,
	`You have to confirm your email address before continuing.`,
	`Your account has not been approved by your administrator yet.`,
	`Your session expired. Please sign in again to continue.`,
	`You need to sign in or sign up before continuing.`,
	`You need to verify your email address to activate your account.`,
	`You need to change your password to activate your account.`,
	`You need to set up Mobile Authenticator to activate your account.`,
	`Unable to sign in`,
	`Wrong email or password.`,
	`Your account has been blocked after multiple consecutive login attempts.`,
	`Invalid login attempt.`,
	`You must have a confirmed email to log on.`,
	`This account has been locked out, please try again later.`,
	`Bad credentials`,
	`Your login attempt was not successful, try again. Reason: Bad credentials`,
	`The username you entered cannot be identified.`,
	`The password you entered was incorrect.`,
	`You cannot login at this time.`,
	`Invalid login, please try again`,
	`Incorrect username or password entered. Please try again.`,
	`There is no user by the name "Ann". Usernames are case sensitive. Check your spelling, or create a new account.`,
	`You have made too many recent login attempts. Please wait 5 minutes before trying again.`,
	`Wrong username or password.`,
	`We have detected multiple invalid login attempts from your IP. Therefore your next login is throttled up to 30 seconds.`,
	`Username or password is incorrect.`,
	`Sign-in Prohibited`,
	`Your account is prohibited from signing in, please contact your site administrator.`,
	`Invalid login or password.`,
	`Your account is pending approval from your GitLab administrator and hence blocked. Please contact your GitLab administrator if you think this is an error.`,
	`Your account is awaiting approval by an administrator.`,
	`Your account is currently awaiting approval by an administrator. You will receive an email when a decision has been taken.`,
	`Your account has not been activated yet.`,
	`Your account has not been confirmed yet.`,
	`Your account has not yet been verified.`,
	`Your account is pending review.`,
	`Your account is under review.`,
	`Your registration is pending approval.`,
	`Your account must be approved by an administrator before you can log in.`,
	`This account is not confirmed. Click here to resend confirmation email.`,
	`The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.`,
	`Warning: No match for E-Mail Address and/or Password.`,
	`Couldn't find your Google Account`,
	`We couldn't find an account with that username. Try another, or get a new Microsoft account.`,
	`We cannot find an account with that email address.`,
	`We cannot find an account matching the details you entered.`,
	`There is no account with this e-mail address.`,
	`No account found with that email.`,
	`No user found with this email address.`,
	`Your account or password is incorrect. If you don't remember your password, reset it now.`,
	`Sorry, your username and password are incorrect - please try again.`,
	`Hmm, that's not the right password. Please try again or request a one-time link to sign in.`,
	`The email and password you entered don't match.`,
	`Invalid login credentials`,
	`Incorrect username, email or password`,
	`You can't log in yet. We previously sent an activation email to you at ann@x.org.`,
	`The email address and/or password you specified are not correct.`,
	`Please check your username and password. If you still can't log in, contact your administrator.`,
	`Your authentication information is incorrect. Please try again.`,
	`User does not exist.`,
	`User is not confirmed.`,
	`Please complete the captcha.`,
	`Please complete the reCAPTCHA to continue.`,
	`The captcha you entered is incorrect.`,
	`CAPTCHA verification failed.`,
	`Incorrect CAPTCHA code`,
	`Please verify that you are not a robot.`,
	`Please confirm you are human`,
	`Too many requests`,
	`Too many requests. Please wait a moment and try again.`,
	`You have exceeded the number of allowed login attempts. Please try again later.`,
	`Thanks for signing up! Before getting started, could you verify your email address by clicking on the link we just emailed to you?`,
	`Das Passwort, das du für den Benutzernamen ann eingegeben hast, ist falsch. Passwort vergessen?`,
	`Unbekannter Benutzername. Bitte prüfe ihn.`,
	`Fehler: Der Benutzername ann ist auf dieser Website nicht registriert.`,
	`Bitte einen gültigen Benutzernamen und das Passwort eingeben. Beide Felder berücksichtigen die Groß-/Kleinschreibung.`,
	`Diese Kombination aus Zugangsdaten wurde nicht in unserer Datenbank gefunden.`,
	`Diese Anmeldedaten stimmen nicht mit unseren Aufzeichnungen überein.`,
	`Du hast ein falsches Passwort angegeben. Bitte prüfe dein Passwort.`,
	`Ungültiger Benutzername oder Passwort.`,
	`Ungültige Anmeldedaten. Versuchen Sie es noch einmal!`,
	`Unbekannter Benutzername oder falsches Passwort.`,
	`Ihr Konto wartet auf die Freigabe durch einen Administrator.`,
	`Ihr Konto wurde noch nicht freigeschaltet.`,
	`Dein Account ist noch nicht aktiviert.`,
	`Ihr Benutzerkonto muss noch von einem Administrator freigeschaltet werden.`,
	`Bitte bestätigen Sie Ihre E-Mail-Adresse, bevor Sie fortfahren.`,
	`Sie müssen Ihre E-Mail-Adresse bestätigen, bevor Sie sich anmelden können.`,
	`Bitte lösen Sie das Captcha.`,
	`Bitte bestätigen Sie, dass Sie kein Roboter sind.`,
	`Zu viele Anfragen. Bitte versuchen Sie es später erneut.`,
	`Es wurde kein Konto mit dieser E-Mail-Adresse gefunden.`,
	`Wir konnten kein Konto mit diesen Angaben finden.`,
	`Le mot de passe que vous avez saisi pour l’identifiant ann est incorrect.`,
	`Erreur : l’identifiant ann n’est pas inscrit sur ce site.`,
	`Saisissez un nom d’utilisateur et un mot de passe valides. Remarquez que chacun de ces champs est sensible à la casse.`,
	`Ces identifiants ne correspondent pas à nos enregistrements.`,
	`Email ou mot de passe incorrect.`,
	`Votre compte n'est pas encore activé.`,
	`Votre compte est en attente d’approbation par un administrateur.`,
	`Votre compte n’a pas encore été confirmé.`,
	`Vous devez confirmer votre adresse e-mail avant de continuer.`,
	`Nom d'utilisateur ou mot de passe non reconnu. Avez-vous oublié votre mot de passe ?`,
	`Vous avez saisi un mot de passe incorrect.`,
	`Veuillez compléter le captcha.`,
	`Trop de requêtes. Veuillez réessayer plus tard.`,
	`Aucun compte n’a été trouvé avec cette adresse e-mail.`,
	`La contraseña que has introducido para el nombre de usuario ann no es correcta.`,
	`Error: el nombre de usuario ann no está registrado en este sitio.`,
	`Por favor, introduzca un nombre de usuario y clave correctos. Observe que ambos campos pueden ser sensibles a mayúsculas.`,
	`Estas credenciales no coinciden con nuestros registros.`,
	`Email o contraseña no válidos.`,
	`Tu cuenta aún no ha sido activada.`,
	`Su cuenta está pendiente de aprobación.`,
	`Nombre de usuario o contraseña no reconocidos.`,
	`Acceso inválido, por favor inténtelo otra vez`,
	`Tienes que confirmar tu cuenta para poder continuar.`,
	`Por favor, complete el captcha.`,
	`Demasiadas solicitudes. Inténtelo más tarde.`,
	`No encontramos ninguna cuenta con ese correo electrónico.`,
	`您为用户名ann输入的密码不正确。忘记密码？`,
	`错误：未知用户名。请再检查一遍。`,
	`请输入一个正确的用户名和密码。注意，两者都区分大小写。`,
	`这些凭据与我们的记录不符。`,
	`您的账号尚未激活。`,
	`您的账号正在等待管理员审核。`,
	`您的帐户还未验证。`,
	`请先完成人机验证`,
	`请求过于频繁，请稍后再试`,
	`找不到该用户`,
	`继续之前请确认您的电子邮箱`,
	`ユーザー名annのパスワードが間違っています。`,
	`不明なユーザー名です。もう一度確認してください。`,
	`正しいユーザー名とパスワードを入力してください。どちらのフィールドも大文字と小文字は区別されます。`,
	`認証情報と一致するレコードがありません。`,
	`Eメールまたはパスワードが違います。`,
	`アカウントは承認待ちです。`,
	`お使いのアカウントはまだ有効化されていません。`,
	`CAPTCHAを完了してください。`,
	`リクエストが多すぎます。`,
	`一致するアカウントが見つかりませんでした。`,
	`Your session is no longer valid.`,
	`Your session has ended, please sign in again.`,
	`Bitte melden Sie sich erneut an.`,
	`您的登录状态已过期，请重新登录。`,
	`登录凭证已失效`,
	`Token失效，请重新登录`,
	`您还未登录，请先登录！`,
	`ログインの有効期限が切れました。再度ログインしてください。`,
}

// awaitingSentences say that another factor is required, on another device.
var awaitingSentences = []string{
	`Before proceeding, please check your email for a verification link.`,
	`Approve sign-in request`,
	`Approve sign in request`,
	`Open your Authenticator app, and enter the number shown to sign in.`,
	`Open your Authenticator app and approve the request.`,
	`Check your phone`,
	`We sent a notification to your mobile device. Please respond to continue.`,
	`We've sent a push notification to your phone.`,
	`Push notification sent`,
	`Verify with Okta Verify`,
	`Use your security key to continue`,
	`Insert your security key and touch it.`,
	`Tap Yes on your phone or tablet`,
	`More information required`,
	`Anmeldeanforderung genehmigen`,
	`Öffnen Sie Ihre Authenticator-App und geben Sie die angezeigte Zahl ein.`,
	`Prüfen Sie Ihr Smartphone.`,
	`Approuver la demande de connexion`,
	`Ouvrez votre application Authenticator et entrez le numéro affiché.`,
	`Aprobar la solicitud de inicio de sesión`,
	`Abra la aplicación Authenticator e introduzca el número.`,
	`批准登录请求`,
	`请打开 Authenticator 应用并输入显示的数字`,
	`请查看您的手机`,
	`サインイン要求を承認する`,
	`Authenticator アプリを開いて番号を入力してください。`,
	`スマートフォンに通知を送信しました。`,
}

// refusingPages refuse the sign-in too, but in other elements than a paragraph.
var refusingPages = []string{
	`<main><p><strong>Error:</strong> The password you entered for the username <strong>ann</strong> is incorrect. <a href=/lost>Lost your password?</a></p></main>`,
	`<div id=login_error><strong>ERROR</strong>: Invalid username. <a href=/lost>Lost your password?</a></div>`,
	`<div class="alert alert-danger"><ul><li>These credentials do not match our records.</li></ul></div>`,
	`<ul class="errorlist nonfield"><li>Please enter a correct username and password. Note that both fields may be case-sensitive.</li></ul>`,
	`<div class="messages messages--error"><div role=alert><h2>Error message</h2>Unrecognized username or password. <a href=/lost>Forgot your password?</a></div></div>`,
	`<h1>Your account is awaiting approval</h1><p>We will write to you.</p>`,
	`<div class=card><div class=title>Account not activated</div><div class=text>Follow the link in our mail.</div></div>`,
	`<div class=card><span>Your account has not been activated yet.</span></div>`,
	`<h1>One moment</h1><p>Please complete the captcha.</p><input type=checkbox>`,
	`<h2>Verify</h2><div class=box>Please confirm that you are not a robot.</div>`,
	`<h1>429</h1><p>Too many requests</p>`,
	`<div role=heading aria-level=1>Sign-in</div><div class=text>Open your Authenticator app, and enter the number shown to sign in.</div><div class=number>42</div>`,
}

// servingPages belong to a signed-in user, and only mention something that is refused or awaited.
var servingPages = []string{
	`<h1>Orders</h1><p>Your order is awaiting approval.</p>`,
	`<h1>Orders</h1><p>Your order has not been confirmed yet.</p><p>Your invoice is pending review.</p>`,
	`<h1>Blog</h1><p>Your comment is awaiting moderation.</p>`,
	`<h1>Security</h1><p>Two-factor authentication is on.</p><p>Use your security key or your phone to sign in faster.</p>`,
	`<h1>Security</h1><h2>Two-factor authentication</h2><p>To set it up, open your authenticator app and scan the code.</p>`,
	`<h1>Security</h1><p>Open your authenticator app and scan the QR code to add another device.</p>`,
	`<h1>Sicherheit</h1><p>Zwei-Faktor-Anmeldung ist an.</p>`,
	`<h1>安全</h1><p>双重验证已开启</p><p>您的账号已激活。</p>`,
	`<h1>Help</h1><p>If you enter an incorrect password five times, your account is locked for an hour.</p>`,
	`<h1>Help</h1><h3>Bad password</h3><p>Your password is incorrect. Set a new one.</p><h3>Approval</h3><p>Your account is awaiting approval.</p>`,
	`<h1>Help</h1><div class=card><h4>Sign-in</h4><p>Invalid username or password.</p></div><div class=card><h4>Mail</h4><p>Mail does not arrive.</p></div>`,
	`<h1>Help</h1><details open><summary>What does it say?</summary><ul><li>Invalid login attempt.</li><li>Bad credentials</li></ul></details>`,
	`<h1>News</h1><article><h2>Approvals</h2><p>Your account is awaiting approval, it used to say.</p></article><article><h2>Sale</h2><p>All week</p></article>`,
	`<h1>News</h1><p>Too many requests for help came last week, so answers take longer.</p>`,
	`<h1>Users</h1><h2>Accounts awaiting approval</h2><table><tr><th>Name</th><th>State</th></tr><tr><td>Ann</td><td>Account awaiting approval</td></tr><tr><td>Bob</td><td>Account not activated</td></tr></table>`,
	`<h1>Users</h1><p>Three accounts are awaiting approval.</p><p>Users who have not been activated yet: 4</p>`,
	`<h1>Users</h1><p>No users found.</p>`,
	`<h1>Team</h1><div class=row><div>Ann</div><div>Account not activated</div></div><div class=row><div>Bob</div><div>Account active</div></div>`,
	`<h1>Log</h1><ul><li>Invalid login attempt</li><li>Password changed</li><li>Too many requests</li></ul>`,
	`<h1>Log</h1><p>Invalid login attempts are recorded for 30 days.</p>`,
	`<h1>Inbox</h1><div class=mail><div>Bank</div><div>Your account is pending review</div></div><div class=mail><div>Shop</div><div>Invoice 77</div></div>`,
	`<h1>Settings</h1><label><input type=checkbox checked> Captcha required for guests</label><p>We use a captcha to keep robots out.</p>`,
	`<h1>Settings</h1><p>Your account is verified.</p><p>Your e-mail address was confirmed on 3 May.</p>`,
	`<h1>Profile</h1><p>Please complete your profile.</p><p>Please verify your email address to unlock all features.</p>`,
	`<h1>Shop</h1><p>We could not find an invoice with that number.</p><p>Please confirm your delivery address.</p>`,
	`<h1>Bank</h1><p>Your account is not linked to a card yet.</p><p>Your account manager is Ann Miller.</p>`,
	`<h1>Approvals</h1><p>Waiting for approval from Bob</p><p>A notification was sent to the customer.</p>`,
	`<h1>Bestellungen</h1><p>Ihre Bestellung wartet auf Freigabe.</p><p>Ihr Konto wurde bestätigt.</p>`,
	`<h1>Commandes</h1><p>Votre commande est en attente de validation.</p><p>Votre compte est vérifié.</p>`,
	`<h1>Pedidos</h1><p>Su pedido está pendiente de aprobación.</p><p>Tu cuenta está verificada.</p>`,
	`<h1>订单</h1><p>您的订单正在等待审核。</p>`,
	`<h1>设置</h1><p>登录超时：30 分钟</p><p>登录超时（分钟）</p><p>修改密码后需要重新登录。</p>`,
	`<h1>客服</h1><p>会话结束后可以评价。</p><p>上次登录失败：3 天前</p>`,
	`<h1>Devices</h1><p>You were signed out of your other devices.</p><p>Your session will end in 30 minutes.</p>`,
	`<h1>ご注文</h1><p>ご注文は承認待ちです。</p><p>アカウントは有効です。</p>`,
}

// TestLoginSentences checks that a refusal is recognised by the form of its sentence, whatever
// system it comes from.
func TestLoginSentences(t *testing.T) {
	t.Parallel()
	type row struct {
		html, says string // says: part of the error; "" means success
	}
	const refused, factor, first = "refused sign-in", "another factor", "something comes first"
	var rows []row
	for _, text := range append(refusingSentences, endedSentences...) {
		rows = append(rows, row{"<main><p>" + text + "</p></main>", refused})
	}
	for _, text := range awaitingSentences {
		rows = append(rows, row{"<main><p>" + text + "</p></main>", factor})
	}
	for _, html := range refusingPages {
		says := refused
		if strings.Contains(html, "Authenticator") {
			says = factor
		}
		rows = append(rows, row{html, says})
	}
	for _, html := range interposedPages {
		rows = append(rows, row{html, first})
	}
	for _, html := range append(offeredPages, deniedPages...) {
		rows = append(rows, row{html, refused})
	}
	for _, html := range codePages {
		rows = append(rows, row{html, factor})
	}
	for _, text := range lastingSentences {
		rows = append(rows, row{"<h1>Ada</h1><p>" + text + "</p>", ""})
	}
	for _, html := range append(servingPages, openedPages...) {
		rows = append(rows, row{html, ""})
	}

	mux := http.NewServeMux()
	write := func(w http.ResponseWriter, html string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html>", html)
	}
	mux.HandleFunc("GET /in/{page}", func(w http.ResponseWriter, r *http.Request) {
		write(w, strings.Replace(loginForm, "/sent", "/answer/"+r.PathValue("page"), 1))
	})
	mux.HandleFunc("POST /answer/{page}", func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(r.PathValue("page"))
		if err != nil || i >= len(rows) {
			http.NotFound(w, r)
			return
		}
		write(w, "<title>Shop</title><header><a href=/>Shop</a> "+signOut+"</header>"+rows[i].html)
	})
	base := serve(t, mux)
	brief, patient := newBench(t, nil, nil, shortWait), newBench(t, nil, nil)
	numbers := make([]int, len(rows))
	for i := range rows {
		numbers[i] = i
	}
	for _, i := range testkit.Kinds(t, "sentences after a sign-in", 160, numbers, func(i int) any { return rows[i].says }) {
		t.Run(rows[i].html, func(t *testing.T) {
			t.Parallel()
			b := patient
			if rows[i].says != "" {
				b = brief
			}
			b = b.beside(t)
			r := b.run(t, "web:login:submit", map[string]any{"url": fmt.Sprint(base, "/in/", i), "user": "ada", "password": "s3cret-word"})
			if rows[i].says == "" {
				data(t, r)
			} else {
				wantError(t, r, diag.VerifyFailed, rows[i].says)
			}
		})
	}
}
