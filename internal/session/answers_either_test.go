package session_test

// Tests of questions that name alternatives. Each alternative may be a button, and none of them is
// a yes.

import (
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

var eitherCases = []verbCase{
	{withText("File exists", "Replace report.pdf or keep both?"), buttons("Keep both", "Replace", "Cancel"), none, "Cancel"},
	{withText("File exists", "Do you want to replace report.pdf or keep both files?"), buttons("Replace", "Keep both files", "Cancel"), none, "Cancel"},
	{withText("File exists", "Keep both or replace report.pdf?"), buttons("Keep both", "Replace", "Cancel"), none, "Cancel"},
	{withText("File exists", "Replace report.pdf?"), buttons("Keep both", "Replace", "Cancel"), none, "Cancel"},
	{"Replace it or keep both", mainButton("Keep both") + buttons("Replace"), none, none},
	{withText("Datei vorhanden", "bericht.pdf ersetzen oder beide behalten?"), buttons("Beide behalten", "Ersetzen", "Abbrechen"), none, "Abbrechen"},
	{withText("Fichier existant", "Remplacer rapport.pdf ou garder les deux ?"), buttons("Garder les deux", "Remplacer", "Annuler"), none, "Annuler"},
	{withText("El archivo existe", "¿Reemplazar informe.pdf o conservar ambos?"), buttons("Conservar ambos", "Reemplazar", "Cancelar"), none, "Cancelar"},
	{withText("Bestand bestaat", "Bestand vervangen of beide behouden?"), buttons("Beide behouden", "Vervangen", "Annuleren"), none, "Annuleren"},
	{withText("文件已存在", "替换该文件还是保留两者？"), buttons("保留两者", "替换", "取消"), none, "取消"},
	{"Keep or cancel the order?", buttons("Keep", "Cancel"), none, none},
	{"Move the note or copy it?", mainButton("Move") + buttons("Copy note", "Cancel"), none, "Cancel"},

	// If only one alternative is a button, that button is an answer. A word that cancels is not an
	// alternative.
	{"Do you want to continue or cancel?", buttons("Continue", "Cancel"), "Continue", none},
	{"Delete the file or folder?", buttons("Delete", "Cancel"), "Delete", "Cancel"},
	{"Delete the copy of this invoice?", buttons("Delete", "Show invoice", "Cancel"), "Delete", "Cancel"},

	// Keep may be the opposite of the action in the question.
	{"Pause your subscription?", buttons("Keep subscription", "Pause", "Cancel"), "Pause", none},
	{"Keep your subscription or pause it?", buttons("Keep", "Pause", "Cancel"), none, none},
	{"Cancel or pause both subscriptions?", buttons("Keep both", "Pause", "Cancel"), none, none},
}

func TestQuestionsThatNameAlternatives(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Kinds(t, "questions", 6, eitherCases, func(i int) any { return eitherCases[i].confirm + eitherCases[i].cancel }) {
		t.Run(tt.title+tt.html, func(t *testing.T) {
			b.answers(t, base, tt)
		})
	}
}
