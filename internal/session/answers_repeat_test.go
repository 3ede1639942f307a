package session_test

// Tests of questions that repeat the words of a plain button, while the main button may be the
// opposite.

import (
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

var repeatCases = []verbCase{
	// Buttons that stop or resume something are answers if the question is whether to do that.
	{"Resume your upload?", buttons("Start over", "Resume"), "Resume", none},
	{"Resume your upload?", mainButton("Start over") + buttons("Resume"), none, none},
	{"Resume your upload?", mainButton("Resume") + buttons("Start over"), "Resume", none},
	{"Abort the import?", buttons("Abort", "Continue"), "Abort", none},
	{"Stop recording?", buttons("Continue") + dangerButton("Stop recording"), "Stop recording", none},
	{"Stop recording?", mainButton("Continue") + buttons("Stop recording"), "Stop recording", none},
	{"Cancel the subscription?", buttons("Keep subscription", "Cancel subscription"), "Cancel subscription", none},
	{"Return to the start page?", buttons("Go on here", "Return to start page"), "Return to start page", none},
	{"Abonnement kündigen?", buttons("Abonnement behalten", "Abonnement kündigen"), "Abonnement kündigen", none},
	{"停止录制？", buttons("继续录制", "停止录制"), "停止录制", none},
	{"Resume or stop?", buttons("Resume", "Stop"), none, none},

	// A clear no is a no, even if the page marks it as the main button.
	{"Accept cookies?", mainButton("Reject all") + buttons("Accept all"), "Accept all", none},
	{"Accept cookies?", mainButton("Only what is needed") + buttons("Accept all"), none, none},
	{"Cookies akzeptieren?", mainButton("Alle ablehnen") + buttons("Alle akzeptieren"), "Alle akzeptieren", none},
	{"Accepter les cookies ?", mainButton("Tout refuser") + buttons("Tout accepter"), "Tout accepter", none},
	{"¿Aceptar las cookies?", mainButton("Rechazar todo") + buttons("Aceptar todo"), "Aceptar todo", none},
	{"接受 Cookie？", mainButton("全部拒绝") + buttons("全部接受"), "全部接受", none},

	// If the words are unknown, the main button is not a yes if another button has a word of the
	// question.
	{"לשמור את הטיוטה?", dangerButton("מחק") + buttons("שמור"), none, none},
	{"هل تريد حفظ المسودة؟", dangerButton("تجاهل") + buttons("حفظ"), none, none},
	{"Tallennetaanko luonnos?", mainButton("Hylkää") + buttons("Tallenna se"), none, none},
	{"Turn on alerts?", mainButton("Leave them off") + buttons("Turn them on"), none, none},

	// The marked button is a yes if it has a word of the question, whether or not the other button
	// has one too.
	{"Delete the file?", dangerButton("Delete for good") + buttons("Move file to the bin"), "Delete for good", none},
	{"Poistetaanko kuva?", dangerButton("Poista") + buttons("Peruuta"), "Poista", "Peruuta"},
	{"למחוק את התמונה?", dangerButton("מחק") + buttons("ביטול"), "מחק", "ביטול"},
	{"Publish the page?", mainButton("Go live") + buttons("Cancel"), "Go live", "Cancel"},
}

func TestQuestionsThatRepeatAButton(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "questions", 12, repeatCases) {
		t.Run(tt.title+tt.html, func(t *testing.T) {
			b.answers(t, base, tt)
		})
	}
}
