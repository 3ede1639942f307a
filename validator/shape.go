package validator

// Checks of single fields, by rules that struct tags express well. The fields are copied into plain
// structs, whose tags package validator/v10 checks. Its findings are reported in our words, with
// their positions in the file. v10 stops at the first problem of a field and knows no positions, so
// rules about several fields are written in Go elsewhere.
//
// Package spec has already rejected what no definition may have, such as an unknown key or a
// negative time. This file has the limits beyond which a value makes no sense.

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	v10 "github.com/go-playground/validator/v10"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// Limits of a definition. The struct tags below repeat these numbers.
const (
	maxSteps   = 100 // written steps of an action, including nested and fallback steps
	maxRetries = 100
)

type actionShape struct {
	Since string      `validate:"omitempty,version"`
	Steps []stepShape `validate:"dive"`
}

type stepShape struct {
	Timeout  *time.Duration `validate:"omitempty,gt=0,lte=1h"`
	Retry    retryShape
	OnError  spec.OnError `validate:"omitempty,oneof=abort continue"`
	Fallback []stepShape  `validate:"dive"`
	Steps    []stepShape  `validate:"dive"`
	Cases    []caseShape  `validate:"dive"`
	Else     []stepShape  `validate:"dive"`
}

type caseShape struct {
	Steps []stepShape `validate:"dive"`
}

type retryShape struct {
	Times int           `validate:"gte=0,lte=100"`
	Delay time.Duration `validate:"gte=0,lte=10m"`
	On    []diag.Code   `validate:"dive,code"`
}

// rules returns the validation library with our own checks.
var rules = sync.OnceValue(func() *v10.Validate {
	v := v10.New()
	for tag, check := range map[string]v10.Func{
		"version": func(fl v10.FieldLevel) bool { return spec.IsSemVer(fl.Field().String()) },
		"code":    func(fl v10.FieldLevel) bool { return diag.Code(fl.Field().String()).Known() },
	} {
		if err := v.RegisterValidation(tag, check); err != nil {
			panic("validator: " + err.Error())
		}
	}
	return v
})

// A shaper copies actions to the structs that the validation library checks.
type shaper struct {
	places map[string]diag.Pos // by path of the shape; nil: not recorded
}

// checkShape checks the values of an action with the given steps, which are its own or those of a
// variant.
func checkShape(a *spec.Action, steps []*spec.Step) diag.List {
	err := rules().Struct((&shaper{}).action(a, steps))
	if err == nil {
		return nil
	}
	var found v10.ValidationErrors
	if !errors.As(err, &found) {
		return diag.List{diag.At(a.Pos, diag.Internal, "the action could not be checked: %v", err).Because(err)}
	}
	s := &shaper{places: make(map[string]diag.Pos)}
	s.action(a, steps)
	var list diag.List
	for _, f := range found {
		_, path, _ := strings.Cut(f.Namespace(), ".")
		list.Add(shapeError(f, s.places[path]))
	}
	return list
}

func (s *shaper) action(a *spec.Action, steps []*spec.Step) actionShape {
	if s.places != nil {
		s.places["Since"] = partPos(a, spec.KeySince)
	}
	return actionShape{Since: a.Since, Steps: s.steps("Steps", steps)}
}

// partPos returns the position of a part of an action, or of the action if the part is not written.
func partPos(a *spec.Action, part string) diag.Pos {
	if pos := a.Parts[part]; pos.IsValid() {
		return pos
	}
	return a.Pos
}

func (s *shaper) steps(path string, list []*spec.Step) []stepShape {
	if len(list) == 0 {
		return nil
	}
	out := make([]stepShape, len(list))
	for i, step := range list {
		at := ""
		if s.places != nil {
			at = fmt.Sprintf("%s[%d]", path, i)
			s.place(at, step)
		}
		out[i] = stepShape{
			Timeout:  step.Timeout,
			Retry:    retryShape(step.Retry),
			OnError:  step.OnError,
			Fallback: s.steps(at+".Fallback", step.Fallback),
			Steps:    s.steps(at+".Steps", step.Steps),
			Else:     s.steps(at+".Else", step.Else),
			Cases:    s.cases(at+".Cases", step.Cases),
		}
	}
	return out
}

func (s *shaper) cases(path string, list []*spec.Case) []caseShape {
	var out []caseShape
	for i, c := range list {
		out = append(out, caseShape{Steps: s.steps(fmt.Sprintf("%s[%d].Steps", path, i), c.Steps)})
	}
	return out
}

// place records the position of the step for each of its fields.
func (s *shaper) place(path string, step *spec.Step) {
	for _, field := range []string{"Timeout", "Retry.Times", "Retry.Delay", "OnError"} {
		s.places[path+"."+field] = step.Pos
	}
	for i := range step.Retry.On {
		s.places[fmt.Sprintf("%s.Retry.On[%d]", path, i)] = step.Pos
	}
}

// shapeError returns the error for one finding of the validation library.
func shapeError(f v10.FieldError, pos diag.Pos) *diag.Error {
	say := func(format string, args ...any) *diag.Error {
		return diag.At(pos, diag.DefinitionInvalid, format, args...)
	}
	switch field := f.Field(); field {
	case "Since":
		return say("the key \"since\" is %q, expected a version such as 1.2.0", f.Value()).
			WithHint("write the version of these definitions that first had the action")
	case "Timeout":
		return say("the key \"timeout\" is %v, expected more than 0 and at most 1h", f.Value()).
			WithHint("omit \"timeout\" for the default of the step; an integer means milliseconds")
	case "Times":
		return say("the key \"retry\" is %v, expected 0 to %d", f.Value(), maxRetries).
			WithHint("write a smaller number; to wait for something, use the step `wait` or a longer timeout")
	case "Delay":
		return say("the key \"retry_delay\" is %v, expected 0 to 10m", f.Value()).
			WithHint("write a shorter delay (an integer means milliseconds); to wait for something, use the step `wait`")
	case "OnError":
		return say("the key \"on_error\" is %q, expected abort or continue", f.Value()).WithHint("omit \"on_error\" for abort")
	default: // an entry of retry.on
		return say("found %q, expected an error code", f.Value()).
			WithHint("see docs/errors.md; TIMEOUT and ELEMENT_NOT_FOUND are the usual ones")
	}
}
