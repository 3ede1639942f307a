package session_test

// Tests of the builtin web actions on pages that look like a success but have not done what was
// requested.

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

const (
	loginForm = `<title>Sign in</title><form id=s action=/sent method=post><label>User <input name=user autocomplete=username></label>
	<label>Password <input id=p type=password name=password></label><button id=b type=submit>Sign in</button></form><p id=m></p>`
	signOut = `<a href=/logout>Log out</a>`
	signIn  = `<a href=/signin>Sign in</a>`
)

// A loginPage is the reaction of a sign-in page to a submit: a script on the page itself, or the
// document in the answer.
type loginPage struct {
	script string
	status int    // status of the answer; 0 means 200
	body   string // body of the answer
	to     string // target of a redirect, whose document is body
}

var loginPages = map[string]loginPage{
	"hides":      {script: `s.hidden=true;setTimeout(()=>{s.hidden=false;m.textContent='Wrong password'},600)`},
	"locked":     {script: `s.outerHTML='<h1>Account locked</h1>'`},
	"lockedout":  {script: `s.outerHTML='<h1>Account locked</h1><a href=/logout>Sign out</a>'`},
	"toggled":    {script: `p.type='text';m.textContent='Wrong password'`},
	"alerted":    {script: `alert('Wrong password');s.outerHTML='<button>Log out</button>'`},
	"dealerted":  {script: `alert('Anmeldung fehlgeschlagen');s.outerHTML='<button>Abmelden</button>'`},
	"greeted":    {script: `alert('Welcome back, Ada');s.outerHTML='<button>Log out</button>'`},
	"rerendered": {script: `history.pushState(null,'','/home');s.innerHTML='<label>Password <input name=password></label>';m.textContent='Wrong password'`},
	"silent":     {script: `m.textContent='Wrong password'`},
	"vanishes":   {script: `s.remove()`},
	"otp":        {script: `history.pushState(null,'','/next');s.outerHTML='<label>Code <input autocomplete=one-time-code></label>'`},
	"denied":     {script: `history.pushState(null,'','/next');s.outerHTML='<h1>访问</h1><p>密码错误，请重试</p>'`},
	"again":      {script: `location.href='/signin-error'`},
	"moves":      {script: `history.pushState(null,'','/home');s.outerHTML='<h1>Orders</h1>'`},
	"text":       {script: `setTimeout(()=>{s.outerHTML='<h1>Welcome, Ada</h1>'},300)`},
	"posts":      {to: "/orders", body: `<h1>Orders</h1>`},
	"two":        {},

	// Answers at another address that are not a sign-in.
	"500":          {status: 500, body: `<h1>Oops</h1><p>We are sorry.</p>`},
	"503":          {status: 503, body: `<h1>503</h1>`},
	"404":          {status: 404, body: `<h1>Not here</h1>` + signOut},
	"json400":      {status: 400, body: `{"error":"invalid_grant"}`},
	"de":           {body: `<h1>Hoppla</h1><p>Anmeldung fehlgeschlagen.</p>`},
	"fr":           {body: `<p>Identifiants incorrects.</p>`},
	"closed":       {body: `<h1>Your account has been closed</h1>` + signOut},
	"notice":       {body: `<p>Your account is locked.</p>` + signOut},
	"pllocked":     {body: `<div class=card><h2>Twoje konto zostało zablokowane</h2><a href=/x>Wyloguj</a></div>`},
	"jalocked":     {body: `<div class=card><h2>アカウントがロックされています</h2><a href=/x>ログアウト</a></div>`},
	"nllocked":     {body: `<div class=card><h2>Geen toegang</h2><p>Uw account is geblokkeerd.</p><a href=/x>Uitloggen</a></div>`},
	"trlocked":     {body: `<div class=card><h2>Hesabınız kilitlendi</h2><a href=/x>Çıkış yap</a></div>`},
	"kolocked":     {body: `<div class=card><h2>계정이 잠겼습니다</h2><a href=/x>로그아웃</a></div>`},
	"ptlocked":     {body: `<div class=card><h2>Sua conta foi suspensa</h2><a href=/x>Sair</a></div>`},
	"avlocked":     {body: `<button class=dropdown-toggle><img class=rounded-circle alt="User photo" width=9 height=9></button><h1>Konto zablokowane</h1>`},
	"esactive":     {body: `<h2>Ya existe una sesión activa</h2><p>Cierre la sesión anterior para continuar.</p><button>Cerrar sesión</button> <button>Cancelar</button>`},
	"deactive":     {body: `<h2>Sie sind bereits an einem anderen Gerät angemeldet</h2><button>Abmelden</button>`},
	"zhactive":     {body: `<h3>该账号已在其他设备登录</h3><p>是否强制下线？</p><button>强制下线</button><button>退出</button>`},
	"enactive":     {body: `<h2>Session limit</h2><p>This user is active on another computer.</p><button>Sign out</button><button>Close</button>`},
	"nlcode":       {body: `<h1>Voer de code in</h1><p>We hebben een sms gestuurd.</p><input name=kode><button>Verder</button><a href=/x>Uitloggen</a>`},
	"jacode":       {body: `<h1>二段階認証</h1><p>認証アプリのコードを入力してください</p><input name=c><button>次へ</button><a href=/x>ログアウト</a>`},
	"pladmin":      {body: `<h1>Panel</h1><h2>Zablokowane konta</h2><p>3 konta</p><a href=/x>Wyloguj</a>`},
	"zhbanned":     {body: `<h2>您的账号已被封禁</h2><button>退出登录</button>`},
	"twlocked":     {body: `<h1>您的帳號已被停用</h1><a href=/x>登出</a>`},
	"frozen":       {body: `<h1>Account frozen</h1>` + signOut},
	"noaccess":     {body: `<h1>You do not have access to this workspace</h1>` + signOut},
	"frsuspended":  {body: `<h1>Accès suspendu</h1><a href=/x>Se déconnecter</a>`},
	"dedata":       {body: `<h1>Übersicht</h1><h2>Fehlgeschlagene Zahlungen</h2><h2>Gesperrte Karten</h2><a href=/x>Abmelden</a>`},
	"frdata":       {body: `<h1>Comptes bloqués</h1><a href=/x>Se déconnecter</a>`},
	"esdata":       {body: `<h1>Usuarios bloqueados</h1><h2>Cuentas bloqueadas</h2><a href=/x>Cerrar sesión</a>`},
	"rudata":       {body: `<h1>Заблокированные пользователи</h1><a href=/x>Выйти</a>`},
	"push":         {body: `<h1>Check your phone</h1><p>Approve the sign-in on your device.</p>` + signOut},
	"digits":       {body: `<h1>Enter the 6 digits</h1><form><input name=pin maxlength=6 inputmode=numeric><button>Continue</button></form>` + signOut},
	"zhnotice":     {body: `<p>账号已被停用，请联系管理员</p><a href=/logout>退出</a>`},
	"zhwrong":      {body: `<p>用户名或密码不正确</p><a href=/in/plain>返回</a><a href=/logout>退出</a>`},
	"enwrong":      {body: `<div class=msg>The user name or password is incorrect. Please contact support.</div>` + signOut},
	"dewrong":      {body: `<p>Benutzername oder Passwort falsch</p><a href=/x>Abmelden</a>`},
	"others":       {body: `<h1>Session limit reached</h1><p>Ann is signed in elsewhere.</p><button>Sign out</button>`},
	"alert":        {body: `<h1>Home</h1><div role=alert>User unknown</div>` + signOut},
	"publichome":   {to: "/public", body: `<h1>Home</h1><nav>` + signIn + `</nav>`},
	"homebutton":   {to: "/public2", body: `<h1>Home</h1><button>Log in</button><button>Register</button>`},
	"publicshop":   {to: "/public3", body: `<h1>Shop</h1><a href=/account>My account</a>`},
	"both":         {to: "/public4", body: `<h1>Home</h1>` + signIn + signOut},
	"unauth":       {to: "/unauthorized", body: `<h1>Page</h1>` + signOut},
	"loginFailed":  {to: "/loginFailed", body: `<h1>Page</h1>`},
	"status":       {to: "/welcome?status=failure", body: `<h1>Page</h1>`},
	"fragment":     {to: "/welcome#error", body: `<h1>Page</h1>`},
	"sessnew":      {to: "/session/new", body: `<h1>Page</h1>`},
	"twofactor":    {to: "/two-factor", body: `<h1>Page</h1>`},
	"everywhere":   {body: `<h1>Devices</h1><button>Sign out everywhere</button><a href=/logout>Back to login</a>`},
	"inline":       {body: `<p>Please <b>log out</b> elsewhere.</p>`},
	"menuhidden":   {body: `<h1>Home</h1><div hidden>` + signOut + `</div>`},
	"homealert":    {to: "/homealert", body: `<h1>Home of Ann</h1><div role=alert>Welcome back!</div>`},
	"h3locked":     {body: `<h3>Account locked</h3><p>Contact support.</p><button>Log out</button>`},
	"h5suspended":  {body: `<div class=MuiPaper-root><h5>Account suspended</h5><button>Log out</button></div>`},
	"h4zhlocked":   {body: `<h4>账号已锁定</h4><a href=/x>退出登录</a>`},
	"h3delocked":   {body: `<h3>Konto gesperrt</h3><a href=/x>Abmelden</a>`},
	"titlelocked":  {body: `<header><a href=/x>Log out</a></header><div class=panel><div class=title>Account locked</div><div class=text>Please call the service desk.</div></div>`},
	"resultlocked": {body: `<div class=ant-result><div class=ant-result-icon><svg width=9 height=9></svg></div><div class=ant-result-title>Account locked</div><div class=ant-result-subtitle>Too many failed sign-ins.</div><div class=ant-result-extra><button><span>Log out</span></button></div></div>`},
	"resultdenied": {body: `<div class=ant-result><div class=ant-result-title>403</div><div class=ant-result-subtitle>Access denied</div><div class=ant-result-extra><button><span>Log out</span></button></div></div>`},
	"textlocked":   {body: `<span class="ant-typography ant-typography-danger">Account locked</span><button>Log out</button>`},
	"emptylocked":  {body: `<div class=ant-empty><div class=ant-empty-image><svg width=9 height=9></svg></div><div class=ant-empty-description>Account locked</div></div><button>Log out</button>`},
	"muilocked":    {body: `<div class=MuiCard-root><div class=MuiCardHeader-root><div class=MuiCardHeader-content><span class="MuiTypography-root MuiTypography-h5">Account locked</span><span class="MuiTypography-root MuiTypography-body1">Contact support</span></div></div></div><button>Log out</button>`},
	"cardlocked":   {body: `<div class=el-card><div class=el-card__header><span>Account locked</span><button>Log out</button></div><div class=el-card__body>Contact support</div></div>`},
	"bslocked":     {body: `<div class=card><div class=card-header>Account locked</div><div class=card-body>Contact support<br><a href=/x>Log out</a></div></div>`},
	"stronglocked": {body: `<header><a href=/x>Log out</a></header><div class=panel><strong>Account locked</strong><br>Please call the service desk.</div>`},
	"lilocked":     {body: `<header><a href=/x>Log out</a></header><main><ul><li>Account locked</li></ul></main>`},
	"tdlocked":     {body: `<table width=100%><tr><td><a href=/x>Log out</a></td></tr><tr><td><font color=red>Account locked</font></td></tr></table>`},
	"layoutlocked": {body: `<table width=100%><tr><td>Acme Bank</td><td><a href=/x>Log out</a></td></tr><tr><td><a href=/x>Home</a></td><td><font color=red>Access denied</font><br>Call us.</td></tr></table>`},
	"iconlocked":   {body: `<div class=box><i class=material-icons>lock</i><div>Incorrect password</div></div><button>Log out</button>`},
	"esmany":       {body: `<div class=card><h2>Demasiados intentos</h2><p>Inténtelo de nuevo en 15 minutos.</p><button>Salir</button></div>`},
	"zhmany":       {body: `<div class=card><h2>登录次数过多</h2><p>请15分钟后再试</p><button>退出</button></div>`},
	"itmany":       {body: `<div class=card><div class=title>Troppi tentativi</div><p>Riprova tra 15 minuti.</p><button>Esci</button></div>`},
	"ptmany":       {body: `<div class=card><h2>Muitas tentativas</h2><p>Tente novamente em 15 minutos.</p><button>Sair</button></div>`},
	"rumany":       {body: `<div class=card><h2>Слишком много попыток</h2><p>Повторите через 15 минут.</p><button>Выход</button></div>`},
	"trmany":       {body: `<div class=card><h2>Çok fazla deneme</h2><p>15 dakika sonra tekrar deneyin.</p><button>Çıkış</button></div>`},
	"frmany":       {body: `<div class=card><h2>Trop de tentatives</h2><p>Réessayez dans 15 minutes.</p><button>Se déconnecter</button></div>`},
	"demany":       {body: `<div class=card><h2>Zu viele Fehlversuche</h2><p>Versuchen Sie es in 15 Minuten erneut.</p><button>Abmelden</button></div>`},
	"nlmany":       {body: `<div class=card><h2>Te veel pogingen</h2><p>Probeer het over 15 minuten opnieuw.</p><button>Uitloggen</button></div>`},
	"plmany":       {body: `<div class=card><h2>Zbyt wiele prób</h2><p>Spróbuj ponownie za 15 minut.</p><button>Wyloguj</button></div>`},
	"jamany":       {body: `<div class=card><h2>試行回数が上限に達しました</h2><p>15分後に再度お試しください。</p><button>ログアウト</button></div>`},
	"h3wait":       {body: `<h3>账号已锁定，请30分钟后再试</h3><button>退出登录</button>`},
	"reasonlocked": {body: `<p>密码错误次数过多，账号已锁定</p><a href=/x>退出登录</a>`},
	"minutelocked": {body: `<p>连续输错5次密码，账号已被锁定30分钟</p><a href=/x>退出登录</a>`},
	"wronglocked":  {body: `<p>Too many wrong passwords, account locked</p><a href=/x>Log out</a>`},
	"errorlocked":  {body: `<p>Error: Account locked</p><a href=/x>Log out</a>`},
	"untillocked":  {body: `<header><a href=/x>Log out</a></header><div class=box>Account locked until 14:30</div>`},
	"forlocked":    {body: `<header><a href=/x>Log out</a></header><div class=box>Account locked for 15 minutes</div>`},
	"commalocked":  {body: `<header><a href=/x>Log out</a></header><div class=box>Account locked, please contact your administrator</div>`},
	"zhcalllocked": {body: `<header><a href=/x>退出登录</a></header><div class=box>账号已被禁用，请联系管理员</div>`},
	"brlocked":     {body: `<header><a href=/x>Log out</a></header><div class=box>Account locked<br>Please contact support</div>`},
	"rowslocked":   {body: `<table border=1><tr><td><b>Account locked</b></td></tr><tr><td>Call 555-1234</td></tr><tr><td><a href=/x>Log out</a></td></tr></table>`},
	"phonelocked":  {body: `<header><a href=/x>Log out</a></header><div class=box><div class=title>Account locked</div><div class=tel>0800 123 456</div></div>`},
	"guestdrop":    {body: `<header><a href=/x>Shop</a><div class=dropdown><button class=dropdown-toggle aria-expanded=false><img class=rounded-circle src="" width=32 height=32 alt=Guest></button><ul class=dropdown-menu style="display:none"><li><a href=/login>Log in</a></li></ul></div></header><p>Contact the help desk.</p>`},
	"guestholds":   {body: `<header><div class=dropdown><button class=dropdown-toggle aria-expanded=false><img class=rounded-circle alt="" width=32 height=32></button><ul class=dropdown-menu style="display:none"><li><a href=/join>Register</a></li></ul></div></header><h1>Shop</h1>`},
	"guesticon":    {body: `<header><button aria-haspopup=true aria-label="Account menu"><svg width=20 height=20></svg></button></header><main><h1>Our offers</h1></main>`},
	"guestavatar":  {body: `<header><button aria-haspopup=menu><div class=MuiAvatar-root><svg class=MuiAvatar-fallback width=20 height=20></svg></div></button></header><h1>Welcome</h1>`},
	"guestopens":   {body: `<header><button aria-haspopup=menu aria-label="User menu" onclick="k.hidden=false"><svg width=20 height=20></svg></button><ul id=k role=menu hidden><li role=menuitem>Log in</li><li role=menuitem>Register</li></ul></header><h1>Shop</h1>`},

	"leadsback":   {to: "/leadsback", body: `<p>Loading</p><script>setTimeout(()=>location.replace('/in/plain'),300)</script>`},
	"backlate":    {to: "/app/home", body: `<div id=r>Loading</div><script>setTimeout(()=>{history.replaceState(null,'','/app/login');r.innerHTML='<label>Password <input type=password></label>'},300)</script>`},
	"backserver":  {to: "/in/plain"},
	"plain":       {body: `<h1>Orders</h1>`},
	"p/alert":     {to: "/p/alert", body: `<h1>Sign-in</h1><p>Wrong user name or password.</p>`},
	"p/alertrole": {to: "/p/alert?r=1", body: `<h1>Home</h1><div role=alert>Wrong password</div>` + signOut},

	// Successful sign-ins.
	"p/alerts":    {to: "/p/alerts", body: `<h1>Alerts</h1><p>No alerts.</p>` + signOut},
	"out":         {script: `s.outerHTML='<button>Log out</button>'`},
	"late":        {script: `s.outerHTML='<p>Signing you in</p>';setTimeout(()=>{document.body.innerHTML='<button>Log out</button>'},1500)`},
	"flips":       {script: `s.outerHTML='<a id=h href=/signin>Sign in</a>';setTimeout(()=>{h.outerHTML='<a href=/logout>Log out</a>'},1500)`},
	"zh":          {script: `s.outerHTML='<a href=#>退出登录</a>'`},
	"fiout":       {body: `<h1>Etusivu</h1><a href=/x>Kirjaudu ulos</a>`},
	"viout":       {body: `<h1>Trang chủ</h1><button>Đăng xuất</button>`},
	"deout":       {body: `<h1>Übersicht</h1><a href=/x>Abmelden</a>`},
	"input":       {body: `<form><input type=submit value="Sign out"></form>`},
	"named":       {body: `<h1>Home</h1><a href=/x>⏻ Logout (ada)</a>`},
	"icon":        {body: `<h1>Home</h1><button aria-label="Log out"><svg width=9 height=9></svg></button>`},
	"menuitem":    {body: `<ul role=menu><li role=menuitem>Sign out</li></ul>`},
	"speaksof":    {body: `<p>密码错误次数：0</p><p>账号停用记录</p><div>密码错误</div><p>Password expires in 5 days</p><p>Account locked users: 3</p><p>User not found in the report was Ann</p>` + signOut},
	"dash_data":   {body: `<h1>Dashboard</h1><table><tr><td>Job 7</td><td>Authentication failed</td></tr></table>` + signOut},
	"inbox":       {body: `<ul><li>Invoice 77: please try again</li></ul><div>Access denied</div>` + signOut},
	"coupon":      {body: `<label>Code<input name=code placeholder="Coupon code"></label>` + signOut},
	"banner":      {body: `<div role=alert>Welcome back!</div><p>Protect your account with two-factor authentication.</p>` + signOut},
	"usermenu":    {body: `<h1>Home</h1><button aria-label="Open user menu" aria-haspopup=menu>A</button>`},
	"zhmenu":      {body: `<h1>Home</h1><button>我的账户</button>`},
	"avatar":      {body: `<h1>Home</h1><button><img alt="Ann's avatar" width=9 height=9></button>`},
	"navouts":     {body: `<header><a href=/logout>Log out</a></header><h1>Home</h1><footer><a href=/logout>Log out</a></footer>`},
	"unknown":     {body: `<nav><button>My account</button></nav><div>We did not recognise those details.</div>`},
	"unknownicon": {body: `<nav><button aria-haspopup=menu aria-label=Account>A</button></nav><div>One thing is left to do before you go on.</div>`},
	"devices":     {body: `<h1>Choose a device to remove</h1><ul><li>Phone <button>Sign out</button><li>TV <button>Sign out</button></ul>`},
	"suspended":   {body: signOut + `<div>Your account has been suspended. Contact support.</div>`},
	"tan":         {body: `<a href=/x>Abmelden</a><h1>TAN-Eingabe</h1><form><label>TAN <input name=tan maxlength=6></label><button>Weiter</button></form>`},
	"pin":         {body: signOut + `<h1>One more step</h1><form><label>PIN <input name=pin></label><button>Continue</button></form>`},
	"inapp":       {body: signOut + `<h1>Approve in your app</h1><div>We have sent a notification to your phone.</div>`},
	"changes":     {body: `<h1>My account</h1><form><label>Old <input type=password name=password></label><label>New <input type=password name=password2></label><button>Save</button></form>` + signOut},
	"newpassword": {body: `<h1>Profile</h1><form><label>Name <input name=n></label><label>New <input type=password autocomplete=new-password></label></form>` + signOut},
	"twosecrets":  {body: `<form><label>User <input name=user></label><label>Password <input type=password></label><label>PIN <input type=password></label></form>` + signOut},
	"avbootstrap": {body: `<header><a href=# class=dropdown-toggle aria-expanded=false><img alt=mdo class=rounded-circle width=9 height=9></a></header>`},
	"avflowbite":  {body: `<button id=user-menu-button aria-expanded=false><img class=rounded-full alt="user photo" width=9 height=9></button>`},
	"avmui":       {body: `<header><button aria-label="Open settings"><div class="MuiAvatar-root">A</div></button></header>`},
	"avantd":      {body: `<header><span class=ant-dropdown-trigger><span class=ant-avatar>A</span> Ann</span></header>`},
	"avelement":   {body: `<div class="el-dropdown"><div role=button tabindex=0 aria-haspopup=list><img class=user-avatar width=9 height=9></div></div>`},
	"avcontent":   {body: `<main><button aria-expanded=false><img class=avatar width=9 height=9> Comments of Ann</button></main>`},
	"avguest":     {body: `<header><button class=dropdown-toggle><img class=avatar width=9 height=9></button></header><form><label>Password <input type=password></label></form>`},
	"avalert":     {body: `<header><span class=ant-dropdown-trigger><span class=ant-avatar>A</span> Ann</span></header><div role=alert>Signed in successfully.</div><h1>Home</h1>`},
	"avplan":      {body: `<header><span class=ant-dropdown-trigger><span class=ant-avatar>A</span> Ann</span></header><h1>Home</h1><div role=alert>Ihr Abonnement endet in 5 Tagen.</div>`},
	"avtickets":   {body: `<header><span class=ant-dropdown-trigger><span class=ant-avatar>A</span> Ann</span></header><h1>Tickets</h1><table><tr><th>No<th>Title<tr><td>1<td>User cannot log in: invalid credentials<tr><td>2<td>Print</table><a href=/3>Account locked</a> <span class=badge>Account locked</span>`},
	"entryone":    {body: `<h1>Home</h1><div class=issue><span class=key>AB-1</span><div class=summary>Incorrect password</div></div><div class=event><div>Login failed</div><div>Ann, Berlin</div></div><div><div class=label>Login</div><div>Account locked</div></div>` + signOut},
	"smallbox":    {body: `<h1>Home</h1><div class=small-box><div class=inner><h3>65</h3><p>Account locked</p></div></div><div class=stat><p>密码错误</p><p>3</p></div>` + signOut},
	"mailone":     {body: `<h1>Mail</h1><div class=mail-item><div class=from>Bank</div><div class=subject>Account locked</div><div class=date>Yesterday</div></div>` + signOut},
	"tabitem":     {body: `<h1>Users</h1><div class=el-tabs__nav><div class=el-tabs__item>Account locked</div><div class=el-tabs__item>All</div></div><div class=menu><div class=menu-item>登录失败</div><div class=menu-item>用户管理</div></div>` + signOut},
	"lockedlist":  {body: `<h1>Home</h1><h3>Locked accounts</h3><p>None.</p><h3>Failed logins</h3><p>None.</p><h4>Gesperrte Karten</h4>` + signOut},
	"usertable":   {body: `<h1>Users</h1><table><thead><tr><th>Name</th><th>Status</th></tr></thead><tbody><tr><td>Ann</td><td>Account locked</td></tr><tr><td>Bob</td><td><span class=dot></span><span>Active</span></td></tr></tbody></table>` + signOut},
	"userrows":    {body: `<h1>Users</h1><table><tr><td><a href=/u/1>Ann</a></td><td>Account locked</td></tr><tr><td><a href=/u/2>Bob</a></td><td>Active</td></tr><tr><td><a href=/u/3>Cyd</a></td><td>Account disabled</td></tr></table>` + signOut},
	"usergrid":    {body: `<h1>Users</h1><div role=grid><div role=row><div role=gridcell>Ann</div><div role=gridcell><span>Account locked</span></div></div></div>` + signOut},
	"usercards":   {body: `<h1>Team</h1><div class=list><div class=item><b>Ann</b><div>Account locked</div></div><div class=item><b>Bob</b><div>Active</div></div></div>` + signOut},
	"userdivs":    {body: `<h1>Team</h1><div class=row><div class=col>Ann</div><div class=col>Account locked</div></div><div class=row><div class=col>Bob</div><div class=col>Account active</div></div>` + signOut},
	"statcards":   {body: `<h1>Security</h1><div class=grid><div class=card><div class=title>Account locked</div><div class=num>3</div></div><div class=card><div class=title>Login failed</div><div class=num>12</div></div></div>` + signOut},
	"statcard":    {body: `<h1>Security</h1><div class=card><h3>Access denied</h3><p>17</p></div>` + signOut},
	"eventlist":   {body: `<h1>Activity</h1><ul><li>Login failed</li><li>Password changed</li></ul>` + signOut},
	"eventone":    {body: `<h1>Activity</h1><ul><li><b>Login failed</b> <span>yesterday, Berlin</span></li></ul><div><div>Sign-in failed</div><time>10:12</time></div>` + signOut},
	"mailrows":    {body: `<h1>Inbox</h1><div class=mail><div>Bank</div><div>Access denied</div></div><div class=mail><div>Shop</div><div>Invoice 77</div></div>` + signOut},
	"maillines":   {body: `<h1>Inbox</h1><div>Invoice 77</div><div>Access denied</div><div>Lunch</div><div>Offer</div>` + signOut},
	"settings":    {body: `<h1>Alerts</h1><label><input type=checkbox> Account locked</label><div><span>Password expired</span><input type=checkbox></div><div class=row><div>Access denied</div><button role=switch aria-checked=true>On</button></div>` + signOut},
	"helplist":    {body: `<h1>Help</h1><ul><li><a href=/h/1>Account locked</a></li><li><a href=/h/2>Incorrect password</a></li></ul><details><summary>Login failed</summary>Try it.</details>` + signOut},
	"faq":         {body: `<h1>Questions</h1><h3>Account locked</h3><p>Call us.</p><h3>Incorrect password</h3><p>Set a new one.</p>` + signOut},
	"helpcards":   {body: `<h1>Help</h1><div class=card><h5>Account locked</h5><p>How to open it.</p></div><div class=card><h5>Two factors</h5><p>How to set them up.</p></div>` + signOut},
	"statusof":    {body: `<h1>Ann</h1><p>Status: <b>Account locked</b></p><dl><dt>State</dt><dd>Account disabled</dd></dl><span class=badge>Account locked</span><div><span>State:</span> <span>Account locked</span></div>` + signOut},
	"chart":       {body: `<h1>Home</h1><div class=card><h4>Access denied</h4><canvas width=9 height=9></canvas></div><nav><ul><li>Account locked</li></ul></nav>` + signOut},
	"iconopens":   {body: `<header><button aria-haspopup=menu aria-label="User menu" onclick="setTimeout(()=>k.hidden=false,300)"><svg width=20 height=20></svg></button><ul id=k role=menu hidden><li role=menuitem>Profile</li><li role=menuitem>Log out</li></ul></header><h1>Home</h1>`},
	"nextonly":    {to: "/contact?next=/dashboard", body: `<h1>Contact your admin</h1>`},
	"widemenu":    {to: "/wide", body: `<h1>Home</h1><details><summary>My account</summary></details>`},
}

func loginSite() http.Handler {
	mux := http.NewServeMux()
	write := func(w http.ResponseWriter, html string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html>", html)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		for _, p := range loginPages {
			if path, _, _ := strings.Cut(p.to, "#"); path != "" && path == r.URL.RequestURI() {
				write(w, p.body)
				return
			}
		}
		write(w, "<title>Page</title><h1>Orders</h1>")
	})
	mux.HandleFunc("GET /in/two", func(w http.ResponseWriter, _ *http.Request) {
		write(w, `<label>User <input autocomplete=username></label><button>Next</button>`)
	})
	mux.HandleFunc("GET /in/{page...}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("page")
		form := strings.Replace(loginForm, "/sent", "/answer/"+name, 1)
		if script := loginPages[name].script; script != "" {
			form += "<script>s.onsubmit=(e)=>{e.preventDefault();" + script + "}</script>"
		}
		write(w, form)
	})
	mux.HandleFunc("POST /answer/{page...}", func(w http.ResponseWriter, r *http.Request) {
		p := loginPages[r.PathValue("page")]
		if p.to != "" {
			http.Redirect(w, r, p.to, http.StatusSeeOther)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(cmp.Or(p.status, http.StatusOK))
		fmt.Fprint(w, "<!doctype html>", p.body)
	})
	return mux
}

// TestLoginNeedsEvidence checks that web:login:submit succeeds only if the page shows a sign of
// success.
func TestLoginNeedsEvidence(t *testing.T) {
	t.Parallel()
	base := serve(t, loginSite())
	// Failures come only after the timeout, so it is short. Successes have the default timeout, for
	// slow processors.
	brief, patient := newBench(t, nil, nil, shortWait), newBench(t, nil, nil)
	const still, factor, refused, nothing = "still asks for", "another factor", "refused sign-in", "nothing shows"
	tests := []struct {
		pages  string
		expect map[string]any
		code   diag.Code // "" means success
		says   string
	}{
		{"hides toggled rerendered silent leadsback backlate backserver twosecrets avguest", nil, diag.VerifyFailed, still},
		{"otp push digits tan pin inapp nlcode jacode", nil, diag.VerifyFailed, factor},
		{"locked lockedout closed notice zhnotice zhwrong enwrong dewrong suspended others alert publichome homebutton both unauth loginFailed status fragment twofactor again everywhere p/alertrole denied de fr p/alert pllocked jalocked nllocked trlocked kolocked ptlocked avlocked esactive deactive zhactive enactive zhbanned twlocked frozen noaccess frsuspended guestopens h3locked h5suspended h4zhlocked h3delocked titlelocked resultlocked resultdenied textlocked emptylocked muilocked cardlocked bslocked stronglocked lilocked tdlocked layoutlocked iconlocked esmany zhmany itmany ptmany rumany trmany frmany demany nlmany plmany jamany h3wait reasonlocked minutelocked wronglocked errorlocked untillocked forlocked commalocked zhcalllocked brlocked rowslocked phonelocked", nil, diag.VerifyFailed, refused},
		{"500 503 404 json400", nil, diag.VerifyFailed, "HTTP"},
		{"alerted dealerted", nil, diag.StepFailed, "refuses the sign-in in a dialog"},
		{"vanishes text moves posts publicshop sessnew inline menuhidden homealert unknown unknownicon devices zhmenu widemenu avcontent guestdrop guestholds guesticon guestavatar", nil, diag.VerifyFailed, nothing},
		{"two", nil, diag.ElementNotFound, ""},

		{"text", map[string]any{"expect_text": "Welcome, Ada"}, "", ""},
		{"otp", map[string]any{"expect_text": "Code"}, "", ""},
		{"404", map[string]any{"expect_text": "Not here"}, "", ""},
		{"changes", map[string]any{"expect_text": "My account"}, "", ""},
		{"moves", map[string]any{"expect_url": "/home"}, "", ""},
		{"posts", map[string]any{"expect_url": "/orders"}, "", ""},
		{"alerted", map[string]any{"expect_text": "Log out"}, "", ""},
		{"homealert", map[string]any{"expect_text": "Welcome back"}, "", ""},
		{"publichome", map[string]any{"expect_url": "/public"}, "", ""},
		{"nextonly", map[string]any{"expect_url": "/dashboard"}, diag.Timeout, "expected /dashboard"},
		{"nextonly", map[string]any{"expect_url": "?next=/dashboard"}, "", ""},
		{"zhmenu", map[string]any{"expect_text": "Home"}, "", ""},
		{"leadsback", map[string]any{"expect_url": "/leadsback"}, diag.Timeout, "/in/plain"},
		{"backlate", map[string]any{"expect_url": "/app"}, diag.VerifyFailed, still},
		{"backserver", map[string]any{"expect_url": "/in"}, diag.VerifyFailed, still},
		{"500", map[string]any{"expect_url": "/answer"}, diag.VerifyFailed, "HTTP 500"},
		{"silent", map[string]any{"expect_text": "Wrong password"}, diag.VerifyFailed, still},
		{"fiout viout pladmin dedata frdata esdata rudata greeted out late flips zh deout input named icon menuitem speaksof dash_data inbox coupon banner usermenu avatar navouts p/alerts changes newpassword avbootstrap avalert avplan avtickets avflowbite avmui avantd avelement iconopens entryone smallbox mailone tabitem lockedlist usertable userrows usergrid usercards userdivs statcards statcard eventlist eventone mailrows maillines settings helplist faq helpcards statusof chart", nil, "", ""},
	}
	outcome := func(i int) any {
		if tt := tests[i]; tt.code != "" && tt.expect != nil {
			return tt.code
		}
		return fmt.Sprint(tests[i].code, tests[i].says, slices.Sorted(maps.Keys(tests[i].expect)))
	}
	for _, tt := range testkit.Kinds(t, "lists of sign-ins", len(tests), tests, outcome) {
		for _, page := range testkit.Some(t, "sign-ins", 100, strings.Fields(tt.pages)) {
			t.Run(fmt.Sprint(page, tt.expect), func(t *testing.T) {
				t.Parallel()
				b := brief
				if tt.code == "" {
					b = patient
				}
				b = b.beside(t)
				params := map[string]any{"url": base + "/in/" + page, "user": "ada", "password": "s3cret-word"}
				for name, v := range tt.expect {
					params[name] = v
				}
				r := b.run(t, "web:login:submit", params)
				if tt.code != "" {
					wantError(t, r, tt.code, tt.says)
				} else {
					data(t, r)
				}
				if text := encode(t, r); strings.Contains(text, "s3cret-word") {
					t.Errorf("the result has the password: %s", text)
				}
			})
		}
	}
}

// TestLinkFollowNeedsAnAddress checks that web:link:follow fails if the link has not led to another
// address.
func TestLinkFollowNeedsAnAddress(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Start</title>
			<a href=/next onclick="event.preventDefault()">Prevented</a> <a href=/none>None</a> <a href=/slow>Slow</a> <a href=/file>File</a>
			<a href=/next target=_blank>Blank</a> <a href=#part>Part</a> <a href="javascript:void(0)">Script</a>
			<a href=# onclick="m.hidden=false">Menu</a><p id=m hidden>menu</p>
			<a href=/next onclick="event.preventDefault();setTimeout(()=>history.pushState(null,'','/routed'),200)">Routed</a>
			<a href=/next onclick="event.preventDefault();setTimeout(()=>{location='/next'},200)">Later</a>
			<a href=/back>Back</a> <a href=/back#part>Back to part</a> <a href=/>Itself</a>
			<a href=/sends/replace>Replaced</a> <a href=/sends/late>Replaced late</a> <a href=/sends/history>Sent back</a> <a href=/sends/meta>Refreshed</a>
			<a href=/sends/answer>Refused by a script</a> <a href=/sends/on>Sent on</a> <a href=/sends/ticks>Ticks</a>
			<a href=/next onclick="event.preventDefault();history.pushState(null,'','/app');fetch('/me').then((r)=>{if(r.status!=200)history.back()})">Guarded</a>
			<iframe name=part srcdoc=old></iframe> <a href=/next target=part>Framed</a> <a href=/missing target=part>Missing in a frame</a>
			<a href=/none target=part>None in a frame</a> <a href=/back/frame target=part>Redirected in a frame</a>
			<a href=/missing>Missing</a> <a href=/missing target=_blank>Missing in a tab</a>
			<p id=visits><a href=/next>Visited</a> <a href=/missing>Visited, missing</a> <a href=/broken>Visited, broken</a>
			<a href=/drops>Visited, dropped</a> <a href=/once>Visited, then loaded</a> <a href=/moved>Visited, moved to a missing one</a></p>
			<a href=/broken onclick="event.preventDefault();fetch(this.href).then((r)=>{if(!r.ok)history.pushState(null,'','/oops')})">Visited, shown elsewhere</a>
			<a href=/next onclick="event.preventDefault();fetch('/missing').then(()=>{history.pushState(null,'','/routed');document.body.append('Routed')})">Asks for another</a>
			<p id=turbo><a href="/next?q=M%C3%BCller%20K">Written anew</a> <a href="/missing?q=M%C3%BCller%20K">Written anew, missing</a>
			<a href="/broken?at=1/2&name=Jörg K">Written anew, broken</a></p>
			<script>
			turbo.onclick=async(e)=>{ // Turbo also rewrites the query
				e.preventDefault()
				const to=new URL(e.target.href),sent=new URL(to)
				for(const[name,value]of[...to.searchParams])sent.searchParams.set(name,value)
				const r=await fetch(sent)
				history.pushState(null,'',to)
				document.body.innerHTML=await r.text()
			}
			// A library such as Turbo fetches the document of a link and shows it, whatever its
			// status. If the fetch fails, it loads the document.
			visits.onclick=async(e)=>{
				e.preventDefault()
				const to=e.target.href
				try{
					const r=await fetch(to)
					if(r.status==409)return location=to
					history.pushState(null,'',r.url)
					document.body.innerHTML=await r.text()
				}catch{location=to}
			}
			</script>`)
	})
	sends := map[string]string{
		"replace": "location.replace('/')",
		"late":    "onload=()=>setTimeout(()=>location.replace('/'),250)",
		"history": "onload=()=>setTimeout(()=>history.back(),50)",
		"meta":    "document.head.insertAdjacentHTML('beforeend','<meta http-equiv=refresh content=0;url=/>')",
		"answer":  "onload=()=>fetch('/me').then((r)=>{if(r.status!=200)location='/'})",
		"on":      "onload=()=>setTimeout(()=>location.replace('/next'),250)",
		"ticks":   "setInterval(()=>document.body.textContent=performance.now(),50)",
	}
	mux.HandleFunc("/sends/{how}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>Sends</title><body><script>%s</script>", sends[r.PathValue("how")])
	})
	mux.HandleFunc("/me", func(w http.ResponseWriter, r *http.Request) {
		select { // after the page has come to rest
		case <-time.After(700 * time.Millisecond):
			w.WriteHeader(http.StatusUnauthorized)
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/next", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>Next</title><p>Next")
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<h1>Oops</h1>", http.StatusInternalServerError)
	})
	mux.HandleFunc("/drops", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/once", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sec-Fetch-Dest") == "empty" {
			http.Error(w, "load it", http.StatusConflict)
			return
		}
		fmt.Fprint(w, "Once")
	})
	mux.Handle("/moved", http.RedirectHandler("/missing", http.StatusFound))
	mux.Handle("/back", http.RedirectHandler("/", http.StatusFound))
	mux.Handle("/back/frame", http.RedirectHandler("/next?from", http.StatusFound))
	mux.HandleFunc("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select { // longer than the timeout for an element
		case <-time.After(2500 * time.Millisecond):
			http.Redirect(w, r, "/next", http.StatusFound)
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
		fmt.Fprint(w, "data")
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	for _, tt := range testkit.Some(t, "rows", 12, []struct {
		text string
		code diag.Code // "" means success
		want string    // part of the error message, or the new address
	}{
		{"Prevented", diag.StepFailed, "led to no other address"},
		{"None", diag.NavigationFailed, "204 No Content"},
		{"File", diag.StepFailed, "led to no other address"},
		{"Script", diag.StepFailed, "led to no other address"},
		{"Menu", diag.StepFailed, "led to no other address"},
		{"Back", diag.StepFailed, "led back to the page"},
		{"Back to part", diag.StepFailed, "led back to the page"},
		{"Itself", diag.StepFailed, "led back to the page"},
		{"Replaced", diag.StepFailed, "led back to the page"},
		{"Replaced late", diag.StepFailed, "led back to the page"},
		{"Sent back", diag.StepFailed, "led back to the page"},
		{"Refreshed", diag.StepFailed, "led back to the page"},
		{"Refused by a script", diag.StepFailed, "led back to the page"},
		{"Guarded", diag.StepFailed, "led back to the page"},
		{"Missing", diag.StepFailed, "which the server answered with 404"},
		{"Missing in a tab", diag.StepFailed, "which the server answered with 404"},
		{"Missing in a frame", diag.StepFailed, "which the server answered with 404"},
		{"None in a frame", diag.NavigationFailed, "204 No Content"},
		{"Visited, missing", diag.StepFailed, "which the page fetched and the server refused: 404"},
		{"Visited, broken", diag.StepFailed, "which the page fetched and the server refused: 500"},
		{"Visited, moved to a missing one", diag.StepFailed, "/missing, which the page fetched and the server refused: 404"},
		{"Visited, shown elsewhere", diag.StepFailed, "/broken, which the page fetched and the server refused: 500"},
		{"Visited, dropped", diag.StepFailed, "an error page of the browser"},
		{"Visited", "", "/next"},
		{"Visited, then loaded", "", "/once"},
		{"Asks for another", "", "/routed"},
		{"Framed", "", "/ /next"},
		{"Redirected in a frame", "", "/ /next?from"},
		{"Sent on", "", "/next"},
		{"Ticks", "", "/sends/ticks"},
		{"Slow", "", "/next"},
		{"Blank", "", "/next"},
		{"Part", "", "/#part"},
		{"Routed", "", "/routed"},
		{"Later", "", "/next"},
		{"Written anew, missing", diag.StepFailed, "which the page fetched and the server refused: 404"},
		{"Written anew, broken", diag.StepFailed, "which the page fetched and the server refused: 500"},
		{"Written anew", "", "/next?q=M%C3%BCller%20K"},
	}) {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			if tt.text == "Part" { // when the link is followed again, the page already has the address
				data(t, b.run(t, "web:link:follow", map[string]any{"url": base + "/", "text": tt.text}))
				got := data(t, b.run(t, "web:link:follow", map[string]any{"text": tt.text}))
				want(t, got, "url", base+tt.want)
			}
			r := b.run(t, "web:link:follow", map[string]any{"url": base + "/", "text": tt.text})
			if tt.code != "" {
				wantError(t, r, tt.code, tt.want)
				return
			}
			got := data(t, r)
			page, frame, led := strings.Cut(tt.want, " ")
			want(t, got, "url", base+page)
			want(t, got, "from", base+"/")
			if led {
				want(t, got, "frame", base+frame)
			}
		})
	}
}

// TestTableExtractNeedsATable checks that a missing table is an error, not an empty table.
func TestTableExtractNeedsATable(t *testing.T) {
	t.Parallel()
	base := serve(t, loginSite())
	b := newBench(t, nil, nil, shortWait)
	wantError(t, b.run(t, "web:table:extract", map[string]any{"url": base + "/home"}), diag.ElementNotFound, "css:table")
}

// TestTableExtractReadsOneTable checks that two matching tables are ambiguous, and that a table in
// a cell is read as the text of the cell.
func TestTableExtractReadsOneTable(t *testing.T) {
	t.Parallel()
	const inner = `<table id=in><thead><tr><th>C</th></tr></thead><tbody><tr><td>in</td></tr></tbody></table>`
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><table id=part style="display:table"><thead><tr><th>Name</th><th hidden>Id</th><th>Plan</th></tr></thead><tbody>
			<tr style="display:none"><td>Zoe</td><td hidden>0</td><td></td></tr><tr><td><input value=Ann></td><td hidden>1</td><td><select><option>Alpha<option selected>Beta</select></td></tr></tbody></table><div id=box><table id=out><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>`+inner+`</td></tr></tbody></table></div>`)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	wantError(t, b.run(t, "web:table:extract", map[string]any{"url": base + "/"}), diag.ElementAmbiguous, "css:table")
	for _, tt := range []struct{ table, header, rows string }{
		{"css:#out", "[map[text:A] map[text:B]]", "[map[cells:[1 C\nin]]]"},
		{"css:#box", "[map[text:A] map[text:B]]", "[map[cells:[1 C\nin]]]"},
		{"css:#part", "[map[text:Name] map[text:Plan]]", "[map[cells:[Ann Beta]]]"},
		{"css:#in", "[map[text:C]]", "[map[cells:[in]]]"},
	} {
		r := b.runWith(t, "web:table:extract", session.RunOptions{Params: map[string]any{"table": tt.table}, FromText: true})
		got := data(t, r)
		want(t, got, "header", tt.header)
		want(t, got, "rows", tt.rows)
	}
}
