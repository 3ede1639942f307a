// Command openapi calls a server with a client that oapi-codegen has generated from the description
// of that server. The package api exists only in the copy of this module that the test makes.
//
// It prints one line for each call, and exits with 1 if an answer is not the expected one. ACTION_URL
// and ACTION_TOKEN name the server, SHOP_URL the demo shop.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/actionregistry/action/testdata/openapi/api"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := run(ctx, os.Getenv("ACTION_URL"), os.Getenv("ACTION_TOKEN"), os.Getenv("SHOP_URL")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url, token, shop string) error {
	c, err := api.NewClientWithResponses(url, api.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	if err != nil {
		return err
	}
	stranger, err := api.NewClientWithResponses(url)
	if err != nil {
		return err
	}
	return errors.Join(
		check("without a token", func() error {
			a, err := stranger.GetSessionWithResponse(ctx)
			return refused(err, 401, "SECURITY_ERROR", func() *api.Problem { return a.ApplicationproblemJSON401 })
		}),
		check("definitions", func() error { return definitions(ctx, c) }),
		check("runs", func() error { return runs(ctx, c) }),
		check("sessions", func() error { return sessions(ctx, c, shop) }),
		check("errors", func() error { return failures(ctx, c) }),
	)
}

// check prints the outcome of some calls.
func check(name string, calls func() error) error {
	if err := calls(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Println("ok", name)
	return nil
}

// refused checks that a call was answered with an error, which the client has decoded.
func refused(err error, status int, code string, answer func() *api.Problem) error {
	if err != nil {
		return err
	}
	p := answer()
	if p == nil || p.Status != status || string(p.Code) != code || p.Detail == "" || p.Suggestion == nil {
		return fmt.Errorf("got %+v, want %d %s with a suggestion", p, status, code)
	}
	return nil
}

func ptr[T any](v T) *T { return &v }

func definitions(ctx context.Context, c *api.ClientWithResponses) error {
	list, err := c.GetActionsWithResponse(ctx, &api.GetActionsParams{Namespace: ptr("shop")})
	if err != nil || list.JSON200 == nil {
		return fmt.Errorf("list: %w, %s", err, text(list))
	}
	all, err := list.JSON200.AsActions()
	if err != nil || all.Actions == nil || len(*all.Actions) == 0 || !strings.HasPrefix((*all.Actions)[0].Name, "shop:") {
		return fmt.Errorf("list: %w, %s", err, list.Body)
	}
	found, err := c.GetActionsWithResponse(ctx, &api.GetActionsParams{Q: ptr("create order"), Limit: ptr(1)})
	if err != nil || found.JSON200 == nil {
		return fmt.Errorf("search: %w, %s", err, text(found))
	}
	hits, err := found.JSON200.AsFound()
	if err != nil || hits.Actions == nil || len(*hits.Actions) != 1 || (*hits.Actions)[0].Name != "shop:order:create" {
		return fmt.Errorf("search: %w, %s", err, found.Body)
	}
	one, err := c.GetActionsNsComponentVerbWithResponse(ctx, "shop", "order", "create", nil)
	if err != nil || one.JSON200 == nil {
		return fmt.Errorf("describe: %w, %s", err, text(one))
	}
	d, err := one.JSON200.AsDescription()
	if err != nil || d.Name != "shop:order:create" || d.Params == nil || len(*d.Params) < 3 {
		return fmt.Errorf("describe: %w, %s", err, one.Body)
	}
	return nil
}

func runs(ctx context.Context, c *api.ClientWithResponses) error {
	order := api.PostActionsNsComponentVerbJSONRequestBody{"customer": "Ada Lovelace", "product": "Kaleidoscope", "quantity": 3}
	made, err := c.PostActionsNsComponentVerbWithResponse(ctx, "shop", "order", "create", &api.PostActionsNsComponentVerbParams{Steps: ptr(true)}, order)
	if err != nil || made.JSON200 == nil || !made.JSON200.Success || made.JSON200.Verified == nil || !*made.JSON200.Verified || made.JSON200.Id == "" || made.JSON200.Steps == nil {
		return fmt.Errorf("run: %w, %s", err, text(made))
	}
	kept, err := c.GetRunsIdWithResponse(ctx, made.JSON200.Id)
	if err != nil || kept.JSON200 == nil || kept.JSON200.State != "succeeded" || kept.JSON200.Name != "shop:order:create" {
		return fmt.Errorf("the run afterwards: %w, %s", err, text(kept))
	}
	later, err := c.PostActionsNsComponentVerbWithResponse(ctx, "shop", "order", "search",
		&api.PostActionsNsComponentVerbParams{Prefer: ptr("respond-async")}, api.PostActionsNsComponentVerbJSONRequestBody{"words": "lovelace"})
	if err != nil || later.JSON202 == nil || later.HTTPResponse.Header.Get("Location") != "/api/v1/runs/"+later.JSON202.Id {
		return fmt.Errorf("a run later: %w, %s", err, text(later))
	}
	events, err := c.GetRunsIdEventsWithResponse(ctx, later.JSON202.Id, &api.GetRunsIdEventsParams{LastEventID: ptr(1)})
	if err != nil || strings.Contains(string(events.Body), "id: 1\n") || !strings.Contains(string(events.Body), "event: result\n") {
		return fmt.Errorf("events: %w, %s", err, text(events))
	}
	kept, err = c.GetRunsIdWithResponse(ctx, later.JSON202.Id)
	if err != nil || kept.JSON200 == nil || kept.JSON200.State != "succeeded" || kept.JSON200.Result == nil {
		return fmt.Errorf("a run later, at its end: %w, %s", err, text(kept))
	}
	return nil
}

func sessions(ctx context.Context, c *api.ClientWithResponses, shop string) error {
	made, err := c.PostSessionWithResponse(ctx, api.PostSessionJSONRequestBody{Viewport: &struct {
		Height int `json:"height"`
		Width  int `json:"width"`
	}{600, 800}, Timeout: ptr(60_000)})
	if err != nil || made.JSON201 == nil || made.JSON201.ExpiresAt == nil {
		return fmt.Errorf("make: %w, %s", err, text(made))
	}
	id := made.JSON201.Id
	page, err := c.PostSessionIdOpenWithResponse(ctx, id, api.OpenPage{Url: shop + "/login"})
	if err != nil || page.JSON200 == nil || page.JSON200.Status != 200 {
		return fmt.Errorf("open: %w, %s", err, text(page))
	}
	shot, err := c.PostSessionIdSnapshotWithResponse(ctx, id, api.TakeSnapshot{Interactive: ptr(true)})
	if err != nil || shot.JSON200 == nil || !strings.Contains(shot.JSON200.Tree, "User") || len(shot.JSON200.Refs) == 0 {
		return fmt.Errorf("snapshot: %w, %s", err, text(shot))
	}
	filled, err := c.StepFillWithResponse(ctx, id, nil, api.StepFillJSONRequestBody{Selector: ptr("label:User"), Value: "ada"})
	if err != nil || filled.JSON200 == nil || !filled.JSON200.Success {
		return fmt.Errorf("fill: %w, %s", err, text(filled))
	}
	read, err := c.PostSessionIdActionWithResponse(ctx, id, api.ActionRequest{
		Type: "getAttribute", Selector: ptr("label:User"), AdditionalProperties: map[string]any{"attribute": "name"},
	})
	if err != nil || read.JSON200 == nil || read.JSON200.Result != "user" {
		return fmt.Errorf("read: %w, %s", err, text(read))
	}
	tabs, err := c.GetSessionIdTabsWithResponse(ctx, id)
	if err != nil || tabs.JSON200 == nil || tabs.JSON200.Tabs == nil || len(*tabs.JSON200.Tabs) != 1 || !(*tabs.JSON200.Tabs)[0].Active {
		return fmt.Errorf("tabs: %w, %s", err, text(tabs))
	}
	missing, err := c.StepClickWithResponse(ctx, id, &api.StepClickParams{Timeout: ptr("2s")}, api.StepClickJSONRequestBody{Selector: ptr("role:button[name='Nothing']")})
	if err := refused(err, 422, "ELEMENT_NOT_FOUND", func() *api.Problem { return missing.ApplicationproblemJSON422 }); err != nil {
		return fmt.Errorf("click: %w", err)
	}
	gone, err := c.DeleteSessionIdWithResponse(ctx, id)
	if err != nil || gone.JSON200 == nil {
		return fmt.Errorf("close: %w, %s", err, text(gone))
	}
	after, err := c.GetSessionIdWithResponse(ctx, id)
	return refused(err, 404, "INVALID_REQUEST", func() *api.Problem { return after.ApplicationproblemJSON404 })
}

func failures(ctx context.Context, c *api.ClientWithResponses) error {
	none, err := c.GetActionsNsComponentVerbWithResponse(ctx, "shop", "order", "craete", nil)
	if err := refused(err, 404, "ACTION_NOT_FOUND", func() *api.Problem { return none.ApplicationproblemJSON404 }); err != nil {
		return fmt.Errorf("an unknown action: %w", err)
	}
	lacking, err := c.PostActionsNsComponentVerbWithResponse(ctx, "shop", "order", "create", nil, api.PostActionsNsComponentVerbJSONRequestBody{})
	if err := refused(err, 400, "PARAM_REQUIRED", func() *api.Problem { return lacking.ApplicationproblemJSON400 }); err != nil {
		return fmt.Errorf("a missing param: %w", err)
	}
	return nil
}

// text returns the body of an answer, if there is one.
func text(answer interface{ GetBody() []byte }) string {
	if answer == nil {
		return "no answer"
	}
	return string(answer.GetBody())
}
