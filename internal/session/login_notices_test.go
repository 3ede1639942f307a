package session_test

// Tests of notices that a page shows after a sign-in: notifications, toasts and boxes of
// component libraries, with a way to sign out beside them.

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// noticeBoxes are the notices of libraries, with a title and a text.
var noticeBoxes = map[string]string{
	"antd": `<div class="ant-notification ant-notification-topRight"><div class=ant-notification-notice-wrapper>` +
		`<div class="ant-notification-notice ant-notification-notice-error"><div class=ant-notification-notice-content>` +
		`<div class=ant-notification-notice-with-icon role=alert><div class=ant-notification-notice-message>%s</div>` +
		`<div class=ant-notification-notice-description>%s</div></div></div><button aria-label=Close>×</button></div></div></div>`,
	"antd modal": `<div class=ant-modal-root><div class=ant-modal-wrap><div role=dialog aria-modal=true class="ant-modal ant-modal-confirm"><div class=ant-modal-content>` +
		`<div class=ant-modal-body><div class=ant-modal-confirm-body><div class=ant-modal-confirm-paragraph><span class=ant-modal-confirm-title>%s</span>` +
		`<div class=ant-modal-confirm-content>%s</div></div></div><div class=ant-modal-confirm-btns><button>OK</button></div></div></div></div></div></div>`,
	"element": `<div class="el-notification right" role=alert><div class=el-notification__group><h2 class=el-notification__title>%s</h2>` +
		`<div class=el-notification__content><p>%s</p></div></div></div>`,
	"element box": `<div class=el-overlay><div role=dialog aria-modal=true class=el-overlay-message-box><div class=el-message-box><div class=el-message-box__header>` +
		`<div class=el-message-box__title><span>%s</span></div></div><div class=el-message-box__content><div class=el-message-box__message><p>%s</p></div></div></div></div></div>`,
	"bootstrap": `<div class="toast-container"><div class="toast show" role=alert><div class=toast-header><strong>%s</strong></div><div class=toast-body>%s</div></div></div>`,
	"mantine": `<div class=mantine-Notifications-root><div class=mantine-Notification-root role=alert><div class=mantine-Notification-body>` +
		`<div class=mantine-Notification-title>%s</div><div class=mantine-Notification-description>%s</div></div></div></div>`,
	"tailwind": `<ol><li role=status class="group pointer-events-auto flex"><div class=grid><div class=font-semibold>%s</div><div class=opacity-90>%s</div></div></li></ol>`,
	// A notice that is not announced is an entry of a list of such.
	"list":  `<section class=notifications><h2>Notices</h2><div class=notification-item><div>%s</div><div>%s</div></div></section>`,
	"event": `<section><h2>Today</h2><div class=event-card><div>%s</div><div>%s</div></div></section>`,
}

// TestLoginNotices tests that a notice refuses a sign-in if it says so, in a title or a text of
// its own, and that other notices do not.
func TestLoginNotices(t *testing.T) {
	t.Parallel()
	tests := []struct {
		box, title, text string
		refused          bool
	}{
		{"antd", "Signed out", "Your session has ended.", true},
		{"antd", "Notice", "You were signed out", true},
		{"antd", "Access revoked", "You no longer have access to this workspace.", true},
		{"antd", "Error", "Your session is no longer valid.", true},
		{"antd", "Hmm", "Please sign in again.", true},
		{"antd", "登录超时", "您已长时间未操作", true},
		{"antd", "无权限", "您没有访问该系统的权限", true},
		{"antd", "身份验证失败", "请重新登录", true},
		{"antd", "请求错误 401: /me", "用户没有权限（令牌、用户名、密码错误）。", true},
		{"antd", "エラー", "セッションの有効期限が切れました", true},
		{"antd", "알림", "세션이 만료되었습니다", true},
		{"antd", "Hinweis", "Sitzung abgelaufen", true},
		{"antd modal", "登录已失效", "请重新登录", true},
		{"antd modal", "登录超时", "您已长时间未操作", true},
		{"antd modal", "提示", "登录状态已过期，请重新登录", true},
		{"element", "登录已失效", "请联系管理员", true},
		{"element", "提示", "很抱歉，登录已过期，请重新登录", true},
		{"element box", "提示", "登录状态已过期，请重新登录", true},
		{"element box", "系统提示", "无效的会话，或者会话已过期，请重新登录。", true},
		{"bootstrap", "登录超时", "您已长时间未操作", true},
		{"bootstrap", "Session", "Your session has been revoked.", true},
		{"mantine", "Signed out", "Your session has ended.", true},
		{"tailwind", "Access revoked", "Ask the owner.", true},

		{"antd", "Welcome back", "Your session will end in 30 minutes", false},
		{"antd", "登录成功", "上次登录时间：2026-05-01 10:00", false},
		{"antd", "Welcome back", "You were signed out of your other devices", false},
		{"antd", "Billing", "Your trial has ended", false},
		{"antd", "Billing", "Your subscription has expired", false},
		{"antd", "无新消息", "会话列表为空", false},
		{"antd", "Signed in", "You stay signed in for 30 days.", false},
		{"antd", "系统设置", "登录超时：30 分钟", false},
		{"antd modal", "欢迎回来", "登录状态正常", false},
		{"antd modal", "会话", "会话超时(分钟)", false},
		{"element", "登录成功", "欢迎回来", false},
		{"element", "订单", "优惠券已失效", false},
		{"element box", "提示", "您的授权证书将于 30 天后到期", false},
		{"bootstrap", "ようこそ", "セッションは30分後に終了します", false},
		{"bootstrap", "환영합니다", "세션은 30분 후 만료됩니다", false},
		{"mantine", "Willkommen", "Ihre Sitzung endet in 30 Minuten", false},
		{"tailwind", "Welcome back", "3 new messages", false},
		{"list", "Session expired", "On your phone", false},
		{"list", "登录已失效", "iPhone 15", false},
		{"event", "Signed out", "On your tablet", false},
		{"element+element", "登录成功", "欢迎回来|登录已失效", true},
		{"bootstrap+bootstrap", "Welcome", "Hello Ann|Access revoked", true},
		{"antd+antd", "Welcome", "Hello Ann|Signed out", true},
	}
	mux := http.NewServeMux()
	write := func(w http.ResponseWriter, html string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><meta charset=utf-8>", html)
	}
	mux.HandleFunc("GET /in/{page}", func(w http.ResponseWriter, r *http.Request) {
		write(w, strings.Replace(loginForm, "/sent", "/answer/"+r.PathValue("page"), 1))
	})
	mux.HandleFunc("POST /answer/{page}", func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(r.PathValue("page"))
		if err != nil || i >= len(tests) {
			http.NotFound(w, r)
			return
		}
		tt := tests[i]
		box, two, _ := strings.Cut(tt.box, "+")
		text, other, _ := strings.Cut(tt.text, "|")
		notices := fmt.Sprintf(noticeBoxes[box], tt.title, text)
		if two != "" {
			notices += fmt.Sprintf(noticeBoxes[two], other, "Details follow")
		}
		write(w, "<title>Shop</title><header><a href=/>Shop</a> "+signOut+"</header><main><h1>Dashboard</h1>"+
			"<p>3 open invoices</p></main>"+notices)
	})
	base := serve(t, mux)
	brief, patient := newBench(t, nil, nil, shortWait), newBench(t, nil, nil)
	for _, i := range testkit.Kinds(t, "notices after a sign-in", 15, indexes(tests), func(i int) any { return tests[i].refused }) {
		tt := tests[i]
		t.Run(fmt.Sprintf("%s: %s: %s", tt.box, tt.title, tt.text), func(t *testing.T) {
			t.Parallel()
			b := patient
			if tt.refused {
				b = brief
			}
			r := b.beside(t).run(t, "web:login:submit", object{"url": fmt.Sprint(base, "/in/", i), "user": "ada", "password": "s3cret-word"})
			if tt.refused {
				wantError(t, r, diag.VerifyFailed, "refused sign-in")
			} else {
				data(t, r)
			}
		})
	}
}
