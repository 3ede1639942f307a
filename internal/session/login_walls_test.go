package session_test

// Tests of pages with a way to sign out that show hardly anything but a sentence.

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/testkit"
)

// barringSentences say why somebody is not let in.
var barringSentences = []string{
	`You are not a member of this workspace. Ask an owner to invite you.`, `This user has no licence assigned.`, `Sign-in from this network is not permitted.`,
	`Maximum number of concurrent sessions reached.`, `Your session could not be created.`, `Your browser blocked our cookies, so we could not sign you in.`,
	`User is not assigned to this application`, `Ann is signed in on another device.`, `This workspace was deleted by its owner.`, `Use single sign-on`,
	`Your account has been locked after 5 failed attempts. Try again in 30 minutes.`, `Your IP address is not allowed.`,
	`Ihr Konto wurde nach 5 Fehlversuchen gesperrt. Versuchen Sie es in 30 Minuten erneut.`, `Diesem Benutzer ist keine Lizenz zugewiesen.`,
	`Sie haben keinen Zugriff auf diesen Arbeitsbereich.`, `Der Zugriff aus diesem Netzwerk ist nicht gestattet.`, `Die maximale Anzahl gleichzeitiger Sitzungen ist erreicht.`,
	`Sie sind bereits auf einem anderen Gerät angemeldet.`, `Wir führen gerade Wartungsarbeiten durch.`,
	`Votre compte est bloqué. Réessayez dans 30 minutes.`, `Aucune licence n’est attribuée à cet utilisateur.`, `Vous n’êtes pas membre de cet espace.`, `Nombre maximal de sessions atteint.`,
	`Connexion non autorisée depuis ce réseau.`, `Maintenance en cours, revenez plus tard.`,
	`Su cuenta ha sido bloqueada. Inténtelo de nuevo en 30 minutos.`, `No tiene acceso a este espacio de trabajo.`, `Este usuario no tiene licencia asignada.`,
	`Acceso no permitido desde esta red.`, `Número máximo de sesiones alcanzado.`, `Estamos en mantenimiento.`,
	`Il tuo account è stato sospeso.`, `Non hai accesso a questo spazio.`, `Numero massimo di sessioni raggiunto.`,
	`Sua conta foi bloqueada.`, `Você não é membro deste espaço.`, `Número máximo de sessões atingido.`,
	`当前 IP 不在白名单内。`, `您的账号已被锁定，请 30 分钟后再试。`, `该账号已在其他设备登录。`, `系统维护中，请稍后再来。`, `您还不是该工作区的成员。`, `在线用户数已达上限`,
	`アカウントがロックされています。30分後に再度お試しください。`, `他の端末でログイン中です。`, `許可されていないIPアドレスです。`, `ただいまメンテナンス中です。`, `ライセンスが割り当てられていません。`,
	`계정이 잠겼습니다. 30분 후 다시 시도해 주세요.`, `허용되지 않은 IP입니다.`, `다른 기기에서 로그인 중입니다.`, `시스템 점검 중입니다.`, `휴면 계정입니다.`, `이 워크스페이스에 접근 권한이 없습니다.`, `このワークスペースへのアクセス権がありません。`, `请在手机上确认登录请求。`, `이용이 정지된 회원입니다.`,
}

// harmlessSentences belong to somebody who is signed in.
var harmlessSentences = []string{
	`You are also signed in on 2 other devices.`, `You have read-only access.`, `Your account manager is Ann Miller.`, `Your account was created on 3 May.`, `Three accounts are locked.`,
	`Your password expires in 5 days.`, `You have used 24 of 25 seats.`, `Two-factor authentication is not enabled.`, `Last failed sign-in: 12 May from Berlin.`,
	`No orders yet. Create your first order.`, `Invoice 204 is overdue.`, `Members of your team can be invited here.`, `The next maintenance is on Sunday.`,
	`Ihr Konto ist ausgeglichen.`, `Die nächste Wartung ist am Sonntag.`, `Sie haben 3 offene Aufträge.`, `Noch keine Bestellungen`,
	`Votre compte est vérifié.`, `Vous avez 3 commandes.`, `Aucune commande`, `Su cuenta está verificada.`, `No hay pedidos`, `Il tuo account è verificato.`, `Sua conta está ativa.`,
	`您的账号已激活。`, `暂无数据`, `您有 3 个待处理订单。`, `アカウントは有効です。`, `注文はまだありません。`, `未処理の注文が3件あります。`, `계정이 활성화되었습니다.`, `주문이 없습니다.`, `처리할 주문이 3건 있습니다.`,
}

// TestLoginWallWords tests sentences that do not let somebody in, and those that only sound alike.
func TestLoginWallWords(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	is := func(text string, want bool) {
		t.Helper()
		r := j.Run(context.Background(), nil, "traffic:wall:says", object{"text": text}, executor.RunOptions{})
		if got := data(t, r)["bad"]; got != want {
			t.Errorf("%q: %v, want %v (%v)", text, got, want, data(t, r))
		}
	}
	for _, text := range barringSentences {
		is(text, true)
	}
	for _, text := range append(harmlessSentences, lastingSentences...) {
		is(text, false)
	}
}

// TestLoginWalls checks that a page with a way to sign out that shows hardly anything else is a
// success only if its words greet, name something or say that the sign-in has succeeded.
func TestLoginWalls(t *testing.T) {
	t.Parallel()
	const (
		refused = "refused sign-in"
		hardly  = "hardly more than"
		nav     = "<nav><a href=/o>Orders</a> <a href=/c>Customers</a></nav>"
	)
	type row struct{ name, head, main, fails string }
	rows := []row{
		{"a card", "", "<div class=card><h2>Shop</h2><p>You are not a member of this workspace. Ask an owner to invite you.</p><a href='mailto:help@x.org'>Support</a></div>", refused},
		{"a heading", "", "<h1>User is not assigned to this application</h1><p>Contact your administrator.</p>", refused},
		{"a button to go elsewhere", "", "<h1>Use single sign-on</h1><p>Your organisation requires SSO.</p><button>Continue with SSO</button>", refused},
		{"a menu", nav, "<h1>Dashboard</h1><p>This user has no licence assigned.</p>", refused},
		{"Japanese", "", "<div>他の端末でログイン中です。</div>", refused},
		{"Korean", "", "<p>허용되지 않은 IP입니다.</p>", refused},
		{"Chinese", "", "<p>当前 IP 不在白名单内。</p>", refused},
		{"unknown words", "", "<p>The moon is not in the right phase for you.</p>", hardly},
		{"unknown words, in German", "", "<p>Der Mond steht für Sie leider ungünstig.</p>", hardly},
		{"unknown words, in French", "", "<p>La lune ne vous est pas favorable ce soir.</p>", hardly},
		{"unknown words, in Spanish", "", "<p>La luna no le favorece esta noche.</p>", hardly},
		{"unknown words, in Chinese", "", "<p>今晚的月亮对您不利。</p>", hardly},
		{"unknown words, in Japanese", "", "<p>今夜の月はあなたに味方していません。</p>", hardly},
		{"unknown words in a card", "", "<div class=card><h2>Shop</h2><p>The moon is not in the right phase for you.</p><a class=btn href=/>OK</a></div>", hardly},

		{"true: a welcome", "", "<p>Welcome back, Ada. It is good to see you.</p>", ""},
		{"true: signed in", "", "<p>You are now signed in.</p>", ""},
		{"true: a German welcome", "", "<p>Willkommen zurück, Ada.</p>", ""},
		{"true: signed in, in German", "", "<p>Sie sind jetzt angemeldet.</p>", ""},
		{"true: a French welcome", "", "<p>Bonjour Ada, quel plaisir.</p>", ""},
		{"true: a Spanish welcome", "", "<p>Bienvenida de nuevo, Ada.</p>", ""},
		{"true: a Chinese welcome", "", "<p>欢迎回来，张三。</p>", ""},
		{"true: signed in, in Chinese", "", "<p>您已成功登录。</p>", ""},
		{"true: a Japanese welcome", "", "<p>おかえりなさい、山田さん。</p>", ""},
		{"true: a Korean welcome", "", "<p>김민수님, 환영합니다.</p>", ""},
		{"true: no orders", "", "<p>No orders yet. Create your first order.</p><a href=/new>Create order</a>", ""},
		{"true: no orders, no button", "", "<p>You have no orders yet.</p>", ""},
		{"true: no orders, in German", "", "<p>Noch keine Bestellungen vorhanden.</p>", ""},
		{"true: no orders, in Chinese", "", "<p>暂无订单。</p>", ""},
		{"true: no orders, in Korean", "", "<p>주문이 없습니다.</p>", ""},
		{"true: a named page", "", "<h1>Orders</h1><p>The moon is in the right phase for orders.</p>", ""},
		{"true: a menu of the application", nav, "<p>The moon is in the right phase for you.</p>", ""},
		{"true: a list with one row", "", "<table><tr><td>204</td><td>The bank has blocked it.</td></tr></table>", ""},
		{"true: a count", "", "<p>3 open orders are waiting for you.</p>", ""},
		{"true: a field", "", "<p>Find what you are looking for.</p><input type=search aria-label=Search>", ""},
		{"true: late data", "", "<p id=p>Your page is on its way to you.</p><script>setTimeout(()=>{p.outerHTML='<h1>Orders</h1><p>Three</p>'},900)</script>", ""},
		{"true: help", "", "<h1>Help</h1><p>You are not a member of this workspace. Ask an owner to invite you.</p>", ""},
		{"true: questions", "", "<h1>Questions</h1><h2>Why can I not sign in?</h2><p>You are not a member of this workspace.</p><h2>And now?</h2><p>Wait.</p>", ""},
	}
	mux := http.NewServeMux()
	write := func(w http.ResponseWriter, html string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><meta charset=utf-8><title>Shop</title>", html)
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
		write(w, "<header><b>Shop</b> "+rows[i].head+signOut+"</header><main>"+rows[i].main+"</main>")
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, i := range testkit.Kinds(t, "walls after a sign-in", 3, indexes(rows), func(i int) any { return rows[i].fails }) {
		t.Run(rows[i].name, func(t *testing.T) {
			t.Parallel()
			r := b.beside(t).run(t, "web:login:submit", object{"url": fmt.Sprint(base, "/in/", i), "user": "ada", "password": "s3cret-word"})
			if rows[i].fails == "" {
				data(t, r)
			} else {
				wantError(t, r, diag.VerifyFailed, rows[i].fails)
			}
		})
	}
}
