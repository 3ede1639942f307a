package session_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

const (
	nothingNew = "shows nothing but what was there before"
	signedOut  = "one is signed out"
	sameForm   = `<form method=post><label>Name <input name=n value="Eva Lind"></label> <label>E-mail <input name=e value=eva@x.test></label><label>Comment <textarea name=t>Please call me</textarea></label><button>Send</button></form>`
)

// submitBetween are pages to which the server redirects after a form was posted. fails is a part of
// the expected error; "" means success.
var submitBetween = []struct{ name, page, fails string }{
	{"only the heading of before", `<h1>Contact us</h1>`, nothingNew},
	{"the heading and the menu of before", `<nav><a href=/a>Home</a></nav><h1>Contact us</h1>`, nothingNew},
	{"a logo above them", `<header><svg width=40 height=20></svg></header><h1>Contact us</h1>`, nothingNew},
	{"terms that have changed", `<h1>Our terms have changed</h1><p>Please accept</p><button>Accept</button>`, noSuccess},
	{"terms that were updated", `<h1>Updated terms</h1><p>We updated our Terms of Service on 1 May.</p><button>Accept</button>`, noSuccess},
	{"a policy that was updated", `<h1>We have updated our privacy policy</h1><p>Please review it</p><button>Agree</button>`, noSuccess},
	{"terms in German", `<h1>Unsere AGB haben sich geändert</h1><button>Zustimmen</button>`, noSuccess},
	{"a policy in German", `<h1>Wir haben unsere Datenschutzerklärung aktualisiert</h1><button>Zustimmen</button>`, noSuccess},
	{"terms in Spanish", `<h1>Hemos actualizado nuestros términos</h1><button>Aceptar</button>`, noSuccess},
	{"terms in Chinese", `<h1>我们更新了服务条款</h1><button>同意</button>`, noSuccess},
	{"cookies", `<h1>We use cookies</h1><p>We and our partners have stored cookies.</p><button>Accept all</button>`, noSuccess},
	{"cookies that are off", `<h1>Cookies are off</h1><p>Turn them on to go on</p>`, noSuccess},
	{"an age", `<h1>How old are you?</h1><button>I am 18 or older</button>`, noSuccess},
	{"maintenance", `<h1>Maintenance</h1><p>We are updating the site and will be back soon</p>`, noSuccess},
	{"a check", `<h1>Verify you are human</h1><p>Complete the check below</p><button>I am human</button>`, noSuccess},
	{"a plan", `<h1>Choose a plan</h1><button>Free</button><button>Pro</button>`, noSuccess},
	{"plans with prices", `<h1>Choose a plan</h1><div><h2>Basic</h2><p>9 EUR</p><button>Choose</button></div><div><h2>Pro</h2><p>29 EUR</p><button>Choose</button></div>`, noSuccess},
	{"a survey", `<h1>How did we do?</h1><button>Good</button><button>Bad</button>`, noSuccess},
	{"signed out", `<h1>You have been signed out</h1><p>For your safety</p>`, signedOut},
	{"a line of unknown words", `Nope`, noSuccess},
	{"a request of thanks in French", `<h1>Clients</h1><p>Merci de corriger votre saisie.</p>`, noSuccess},
	{"a request to sign in again in French", `<h1>Session</h1><p>Merci de vous reconnecter.</p>`, noSuccess},
	{"thanks, and a request in French", `<h1>Merci</h1><p>Veuillez vous reconnecter.</p>`, noSuccess},
	{"thanks for waiting", `<h1>Waiting room</h1><p>Thank you for waiting. You are number 113.</p>`, noSuccess},
	{"thanks, and a refusal", `<h1>Thank you</h1><p>Registration is closed.</p>`, noSuccess},
	{"thanks for an interest, but", `<h1>Oh no</h1><p>Thanks for your interest, but sign-up is full.</p>`, noSuccess},
	{"thanks, but, in Portuguese", `<h1>Clientes</h1><p>Obrigado, mas o limite foi atingido.</p>`, noSuccess},
	{"thanks, and a request in German", `<h1>Danke</h1><p>Bitte melden Sie sich erneut an.</p>`, noSuccess},
	{"a welcome, and a request", `<h1>Welcome</h1><p>Please pick a workspace to go on.</p>`, noSuccess},
	{"signed out in French", `<h1>Session terminée</h1><p>Vous avez été déconnecté.</p>`, signedOut},
	{"signed out in German", `<h1>Hinweis</h1><p>Sie wurden abgemeldet.</p>`, signedOut},
	{"signed out in Spanish", `<h1>Gracias</h1><p>Ha cerrado la sesión.</p>`, signedOut},
	{"the form as it was, and thanks", sameForm + `<p>Thank you!</p>`, noSuccess},
	{"the form as it was, and thanks in French", sameForm + `<p class=note>Merci</p>`, noSuccess},
	{"the form as it was, and a request of thanks", sameForm + `<p class=error>Merci de remplir tous les champs.</p>`, "the form says"},
	{"a code", `<h1>Verify it’s you</h1><p>We sent a 6-digit code to your phone.</p><form><label>Code <input autocomplete=one-time-code></label><button>Verify</button></form>`, "asks for a code"},
	{"the password again", `<h1>Confirm access</h1><p>Signed in as @ada</p><form><label>Password <input type=password></label><button>Confirm</button></form>`, "asks to sign in"},
	{"a draft", `<h1>Order saved as draft</h1><p>Add a payment method to place it.</p>`, noSuccess},
	{"a limit", `<h1>Project limit reached</h1><p>You’ve created 3 of 3 projects.</p>`, noSuccess},
	{"an empty cart", `<h1>Your cart</h1><p>Your cart is currently empty.</p><a href=/>Return to shop</a>`, noSuccess},
	{"an application of before", `<h1>You’ve already applied</h1><p>You applied to this job on 3 February.</p>`, noSuccess},
	{"other prices in Chinese", `<h1>商品价格已更新</h1><p>请重新确认订单</p>`, noSuccess},
	{"an error in Japanese", `<p>保存中にエラーが発生しました。</p>`, noSuccess},
	{"an error in Korean", `<p>저장 중 오류가 발생했습니다.</p>`, noSuccess},
	{"a comment that waits for an address to be verified", `<h1>Verify your email</h1><p>A verification email has been sent. You need to verify your address before you can comment.</p>`, noSuccess},
	{"an application that waits for it", `<h1>Verify your email to apply</h1><p>We’ve sent a link to ada@example.com.</p>`, noSuccess},
	{"a link to follow first in German", `<h1>Bitte bestätigen Sie Ihre E-Mail-Adresse</h1><p>Wir haben Ihnen eine E-Mail geschickt.</p>`, noSuccess},
	{"a link to follow first in French", `<h1>Confirmez votre adresse e-mail</h1><p>Un lien vous a été envoyé.</p>`, noSuccess},
	{"a link to follow first in Chinese", `<h1>请验证您的邮箱</h1><p>我们已向您的邮箱发送链接</p>`, noSuccess},
	{"a comment that waits for a sign-in", `<h1>Log in to comment</h1><p>Your comment was saved and will be posted once you’re logged in.</p>`, noSuccess},
	{"a bank that has not answered", `<h1>Waiting for your bank</h1><p>We’ve sent a request to your bank. Do not close this page.</p>`, noSuccess},
	{"a payment to approve in French", `<h1>Validez le paiement</h1><p>Une notification a été envoyée à votre application bancaire.</p>`, noSuccess},
	{"a payment to approve in Spanish", `<h1>Confirme el pago</h1><p>Hemos enviado una solicitud a su banco.</p>`, noSuccess},
	{"an order to place again", `<h1>Signed in as Ada</h1><p>Your session was restored. Please check your details and place the order again.</p>`, noSuccess},
	{"a code in German", `<h1>SMS-Code eingeben</h1><p>Der Code wurde an +49 ••• 42 gesendet.</p><form><label>Code <input></label><button>Weiter</button></form>`, noSuccess},
	{"an order of before in German", `<h1>Bestellung bereits aufgegeben</h1><p>Sie haben diese Bestellung vor einer Minute abgeschickt.</p>`, noSuccess},
	{"a welcome alone", `<h1>Welcome back, Ada!</h1><p>Kettles, pans and more.</p><a href=/s>Shop all</a>`, noSuccess},
	{"a welcome alone in German", `<h1>Willkommen zurück</h1><p>Kessel, Pfannen und mehr.</p>`, noSuccess},
	{"a note of success that refuses", `<h1>Home</h1><div role=alert class="alert alert-success"><b>Sorry</b><p>It could not be sent</p></div>`, "could not be sent"},

	{"thanks", `<h1>Thanks!</h1>`, ""},
	{"a word", `<p>Done</p>`, ""},
	{"a word without an element", `Done`, ""},
	{"an answer without an element", `OK`, ""},
	{"an answer in JSON", `{"id":7}`, ""},
	{"Chinese", `<h1>订单已提交</h1>`, ""},
	{"Japanese", `<p>送信しました</p>`, ""},
	{"Korean", `<p>감사합니다</p>`, ""},
	{"German, handed in", `<p>Ihr Urlaubsantrag wurde eingereicht.</p>`, ""},
	{"an order with its number in German", `<h1>Vielen Dank!</h1><p>Ihre Bestellung wurde aufgegeben. Bestellnummer: 10482</p>`, ""},
	{"Korean, registered", `<p>고객이 등록되었습니다.</p>`, ""},
	{"German", `<p>Ihre Nachricht wurde gesendet</p>`, ""},
	{"French", `<h1>Merci</h1>`, ""},
	{"Spanish", `<p>¡Gracias, Eva!</p>`, ""},
	{"a receipt", `<h1>Receipt</h1><table><tr><td>Name<td>Eva Lind<tr><td>Total<td>9 €</table>`, ""},
	{"a number", `<h1>Request no. 48213</h1>`, ""},
	{"a reference", `<p>Your reference: <b>AB-48213</b></p><p>Eva Lind, thank you.</p>`, ""},
	{"a list with the entry", `<nav><a href=/a>Home</a></nav><h1>Messages</h1><ul><li>Eva Lind - Please call me</ul>`, ""},
	{"a table with the entry", `<h1>Messages</h1><table><tr><th>Name<tr><td>Eva Lind</table>`, ""},
	{"a line below the heading", `<h1>Contact us</h1><p class=success>Message sent</p>`, ""},
	{"a tick", `<h1>Contact us</h1><p>✓</p>`, ""},
	{"a tick that is drawn", `<h1>Contact us</h1><i class=icon-check style="display:block;width:20px;height:20px;background:green"></i>`, ""},
	{"a picture", `<h1>Contact us</h1><svg width=40 height=40><circle r=9 cx=9 cy=9 /></svg>`, ""},
	{"what was typed", `<h1>Eva Lind</h1><p>eva@x.test</p>`, ""},
	{"thanks, and cookies", `<h1>Thank you</h1><div><p>We use cookies. We updated our privacy policy.</p><button>Accept</button></div>`, ""},
	{"thanks, and terms", `<h1>Thanks, we have your message</h1><p>Our terms have changed.</p>`, ""},
	{"a policy that is what was saved", `<h1>Settings</h1><p>Privacy policy updated</p>`, ""},
	{"terms that were accepted", `<p>Thank you for accepting our new terms.</p>`, ""},
	{"a note of success in other words", `<nav><a href=/a>Home</a></nav><div role=alert class="alert alert-success"><strong>Hooray</strong><p>We have your message</p></div><h1>Home</h1>`, ""},
	{"thanks, and what to do with a number", `<h1>Thank you</h1><p>Please keep this number: 48213</p>`, ""},
	{"thanks for an order, and a request", `<p>Merci de votre commande. Veuillez nous contacter en cas de question.</p>`, ""},
	{"thanks, and no answer to that address", `<h1>Vielen Dank!</h1><p>Antworten Sie bitte nicht auf diese Adresse.</p>`, ""},
	{"the form as it was, and a word of success", sameForm + `<p>Thank you, it was sent.</p>`, ""},
	{"the form, empty, and thanks", `<p>Thank you!</p>` + strings.NewReplacer("value=", "title=", "Please call me", "").Replace(sameForm), ""},
	{"a flash", `<div class=flash>Sent.</div><h1>Inbox</h1>`, ""},
	{"a link that was sent", `<h1>Check your email</h1><p>We’ve sent a link to your inbox.</p>`, ""},
	{"an account, and an address to verify", `<h1>Registration successful</h1><p>Please verify your email address.</p>`, ""},
	{"an order, and a message to the phone", `<h1>Order placed</h1><p>We’ve sent a confirmation to your phone.</p>`, ""},
	{"an order that they have", `<h1>We’ve got your order</h1><p>It’ll be with you by Friday. Not right? You can cancel it within 30 minutes.</p>`, ""},
	{"a return", `<h1>Return started</h1><p>Print the label.</p>`, ""},
	{"a waiting list", `<h1>You’re on the waitlist</h1><p>We’ll write when a place is free.</p>`, ""},
	{"a waiting list in German", `<p>Sie stehen auf der Warteliste.</p>`, ""},
	{"French, on the list", `<h1>Vous êtes inscrite !</h1>`, ""},
	{"French, on the list of either sex", `<p>Vous êtes inscrit(e)</p>`, ""},
	{"Spanish, asked for", `<p>Cita solicitada. Te llamaremos.</p>`, ""},
	{"out of stock, and a basket", `<h1>Sorry, this item is out of stock</h1><p>Your basket has been updated.</p>`, noSuccess},
	{"unknown words, and a basket", `<h1>The van has gone home</h1><p>Your basket has been updated.</p>`, noSuccess},
	{"unknown words, and thanks for an interest", `<h1>The ship has sailed</h1><p>Thank you for your interest.</p>`, noSuccess},
	{"out of stock in Japanese", `<h1>在庫切れです</h1><p>カートを更新しました。</p>`, noSuccess},
	{"no funds, and a draft", `<h1>Insufficient funds</h1><p>Your order was saved as a draft.</p>`, noSuccess},
	{"too late, and received", `<h1>Too late</h1><p>Your request was received after the deadline.</p>`, noSuccess},
	{"changed by another one", `<h1>Record changed</h1><p>This customer was updated by Bob a minute ago.</p>`, noSuccess},
	{"a position that is filled", `<h1>Position filled</h1><p>This position has been filled. Thank you for your interest.</p>`, noSuccess},
	{"closed in French", `<h1>Inscriptions closes</h1><p>Les inscriptions sont terminées depuis le 1er mai.</p>`, noSuccess},
	{"closed in Spanish", `<h1>Inscripción cerrada</h1><p>El plazo de inscripción ha finalizado.</p>`, noSuccess},
	{"closed in Japanese", `<h1>受付終了</h1><p>受付は5月1日に完了しました。</p>`, noSuccess},
	{"done before in Japanese", `<h1>申込済み</h1><p>すでに申込が完了しています。</p>`, noSuccess},
	{"a survey that is over in German", `<h1>Umfrage abgeschlossen</h1><p>Die Umfrage ist bereits abgeschlossen.</p>`, noSuccess},
	{"a survey that was answered in German", `<h1>Umfrage abgeschlossen</h1><p>Vielen Dank für Ihre Teilnahme!</p>`, ""},
	{"an application, and thanks for an interest", `<h1>Application received</h1><p>Thank you for your interest.</p>`, ""},
	{"an order in Spanish", `<h1>Pedido realizado</h1><p>Número de pedido: 7712</p>`, ""},
	{"an appointment in French", `<h1>Rendez-vous pris</h1><p>12 mai à 10 h</p>`, ""},
	{"a post to be approved", `<p>Your post will be visible after it has been approved by a moderator.</p>`, ""},
	{"a comment to be approved in French", `<p>Votre commentaire est en attente de modération.</p>`, ""},
}

// TestFormSubmitLeadsToAPageBetween checks that a submit fails if the next page shows no known sign of
// success. Very few words can be such a sign.
func TestFormSubmitLeadsToAPageBetween(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, _ := strconv.Atoi(r.URL.Query().Get("i"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case r.Method == http.MethodPost && i%2 == 0:
			http.Redirect(w, r, "/done?i="+strconv.Itoa(i), http.StatusSeeOther)
		case r.Method == http.MethodPost, r.URL.Path == "/done":
			fmt.Fprint(w, "<!doctype html><html lang=en><title>Page</title><body>", submitBetween[i].page)
		default:
			fmt.Fprintf(w, `<!doctype html><html lang=en><title>Page</title><body><nav><a href=/a>Home</a></nav><h1>Contact us</h1><form action=/send?i=%d method=post><label>Name <input name=n value="Eva Lind"></label>
<label>E-mail <input name=e value=eva@x.test></label><label>Comment <textarea name=t>Please call me</textarea></label><button>Send</button></form>`, i)
		}
	}))
	b := newBench(t, nil, nil)
	b.submits(t, base, "pages between", 24, len(submitBetween), func(i int) (name, fails string) { return submitBetween[i].name, submitBetween[i].fails })
}
