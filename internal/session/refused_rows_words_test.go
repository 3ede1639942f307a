package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// wordLists ask for the rows of another page or order, which come with 200 whatever they are, and a field for files.
var wordLists = map[string]string{
	"pages": `<p>Last import failed</p><table><thead><tr><th>Id<th>State</thead><tbody id=tb><tr><td>1<td>Open<tr><td>2<td>Open</tbody></table>
		<nav aria-label=pagination><ul><li><a href="#" aria-current=page id=p1>1</a><li><a href="#" id=p2>2</a></ul></nav><div id=m></div><script>
		p2.onclick = async (e) => { e.preventDefault(); p1.removeAttribute('aria-current'); p2.ariaCurrent = 'page';
			await fetch('/data'); MARK }</script>`,
	"order": `<table><thead><tr><th>Name<th aria-sort=none id=h><button>Total</button></thead><tbody id=tb><tr><td>Bob<td>30<tr><td>Cy<td>4</tbody></table><div id=m></div><script>
		h.onclick = async () => { h.ariaSort = 'ascending'; await fetch('/data'); MARK }</script>`,
	"files": `<label>Documents <input type=file id=f></label><p>Not supported: exe</p><ul id=l></ul><p id=m></p><script>
		f.onchange = async () => { const n = f.files[0].name; await fetch('/add', {method: 'POST', body: f.files[0]}); MARK }</script>`,
}

// TestListsThatSayTheyFailed checks that a list which says in place of its rows, or beside them, that they
// could not be loaded is no success, and that rows with such words are.
func TestListsThatSayTheyFailed(t *testing.T) {
	t.Parallel()
	at := silentServer(t, wordLists)
	b := newBench(t, nil, nil)
	uses := map[string]struct {
		action string
		params object
	}{
		"pages": {"components:pagination:go", object{"page": 2}},
		"order": {"components:table:sort", object{"column": "Total", "order": "ascending"}},
	}
	for _, tt := range testkit.Some(t, "lists", 8, []struct{ page, mark, says string }{
		{"pages", `tb.innerHTML = '<tr><td colspan=9>Failed to load data'`, "Failed to load data"},
		{"pages", `tb.innerHTML = '<tr><td colspan=9>Daten konnten nicht geladen werden'`, "konnten nicht geladen"},
		{"pages", `tb.innerHTML = '<tr><td colspan=9><div>加载失败</div>'`, "加载失败"},
		{"pages", `tb.innerHTML = '<tr><td colspan=9>No permission'`, "No permission"},
		{"pages", `m.innerHTML = '<p>Failed to load data</p>'`, "Failed to load data"},
		{"pages", `m.innerHTML = '<div class=error>Error al cargar los datos</div>'`, "Error al cargar"},
		{"pages", `tb.innerHTML = '<tr><td>3<td>Failed to load data<tr><td>4<td>Could not be saved'`, ""},
		{"pages", `tb.innerHTML = '<tr><td>3<td>Open<tr><td>4<td>Open'; m.innerHTML = '<p>2 of 2 rows failed before</p>'`, ""},
		{"pages", `tb.innerHTML = '<tr><td>3<td>Open<tr><td>4<td>Open'; m.innerHTML = '<p>Offers could not be loaded</p>'`, ""},
		{"order", `tb.innerHTML = '<tr><td colspan=9>Failed to load data'`, "Failed to load data"},
		{"order", `tb.innerHTML = '<tr><td colspan=9>データを取得できませんでした'`, "取得できません"},
		{"order", `tb.append(tb.rows[0])`, ""},
	}) {
		t.Run(tt.page+" "+tt.mark, func(t *testing.T) {
			b.open(t, at(tt.page, tt.mark))
			r := b.run(t, uses[tt.page].action, uses[tt.page].params)
			if tt.says == "" {
				data(t, r)
				return
			}
			wantError(t, r, diag.StepFailed, tt.says)
		})
	}
}

// TestUploadsThatWordsRefuse checks that words refuse a file also where its field keeps it.
func TestUploadsThatWordsRefuse(t *testing.T) {
	t.Parallel()
	at := silentServer(t, wordLists)
	b := newBench(t, nil, nil)
	const file = "not-allowed.txt"
	if err := os.WriteFile(filepath.Join(b.cwd, file), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range testkit.Some(t, "uploads", 8, []struct{ mark, says string }{
		{`m.textContent = 'Dateityp nicht erlaubt'`, "nicht erlaubt"},
		{`m.textContent = 'Datei abgelehnt'`, "abgelehnt"},
		{`m.textContent = 'Fichier refusé'`, "refusé"},
		{`m.textContent = 'Type de fichier non autorisé'`, "non autorisé"},
		{`m.textContent = 'Tipo de archivo no permitido'`, "no permitido"},
		{`m.textContent = '不支持的文件类型'`, "不支持"},
		{`l.innerHTML = '<li>Row 3: no e-mail<li>Row 9: no name'; f.value = ''`, "Row 3: no e-mail"},
		{`l.innerHTML = '<li>Upgrade to upload more'; f.value = ''`, "Upgrade to"},
		{`l.innerHTML = '<li>' + n`, ""},
		{`m.textContent = 'Datei hochgeladen'`, ""},
		{`m.textContent = '0 errors'`, ""},
		{`l.innerHTML = '<li>Row 3: Bob<li>Row 4: Eve'`, ""},
		{``, ""},
	}) {
		t.Run(tt.mark, func(t *testing.T) {
			b.open(t, at("files", tt.mark))
			r := b.run(t, "components:upload:files", object{"label": "Documents", "files": []any{file}})
			if tt.says == "" {
				data(t, r)
				return
			}
			wantError(t, r, diag.StepFailed, tt.says)
		})
	}
}
