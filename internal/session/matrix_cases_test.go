package session_test

import "github.com/actionregistry/action/diag"

// words returns the translation of the texts of testdata/libraries into a language.
func words(locale string) func(string) string {
	return func(en string) string {
		if cn, ok := chinese[en]; ok && locale == "zh" {
			return cn
		}
		return en
	}
}

var chinese = map[string]string{
	"Menu": "菜单", "Home": "首页", "Settings": "设置", "Users": "用户", "Roles": "角色", "Mail server": "邮件服务器", "Off": "停用",
	"Customer": "客户资料", "Contact": "联系人", "Orders": "订单", "Views": "视图", "Places": "地点", "Progress": "进度",
	"Name": "姓名", "Age": "年龄", "Notes": "备注", "Password": "密码", "Segment": "类别", "Company": "公司", "Private": "个人", "School": "学校",
	"Tags": "标签", "Loyal": "老客户", "VIP": "贵宾", "Product": "产品", "Item": "条目", "Source": "来源", "Region": "地区",
	"Europe": "欧洲", "Norway": "挪威", "Bergen": "卑尔根", "Sweden": "瑞典", "Stockholm": "斯德哥尔摩", "Team": "团队", "Customer since": "开户日期", "Period": "期间", "Call at": "致电时间",
	"Newsletter": "订阅", "Channels": "渠道", "Mail": "邮件", "Phone": "电话", "Gender": "性别", "Other": "其他", "Active": "启用",
	"Contract": "合同", "Save": "保存", "E-mail": "邮箱", "New order": "新建订单", "Check stock": "查看库存", "Stock": "库存",
	"Profile": "个人资料", "Edit profile": "编辑资料", "Language": "语言", "Birthday": "生日", "OK": "确定", "Cancel": "取消",
	"Order": "订单", "Buyer": "客户", "Quantity": "数量", "Status": "状态", "Actions": "操作", "Open": "未结", "Paid": "已付",
	"Edit": "编辑", "Delete": "删除", "More": "更多", "Copy": "复制", "Send": "发送", "History": "历史", "Overview": "概览",
	"Head office": "总部", "Sales": "销售部", "North": "北区", "Warehouse": "仓库", "Address": "地址", "Next": "下一步", "Payment": "付款",
	"Notify": "通知", "Backup": "备份", "Greet": "问候", "Good day": "你好", "Delivery": "交货日期", "Express": "加急",
	"Reset": "重置", "Reset all?": "全部重置？", "Done": "完成",
	"Helpers":  "帮手",
	"Province": "省份", "City": "城市",
	"Areas": "片区", "Terms": "条款", "Archive": "归档", "Import": "导入", "Export": "导出", "South": "南区", "Stay": "入住", "Call back": "回电", "Invoice month": "账单月份", "Reports": "报表", "Closed": "已关闭",
	"New": "新客户", "Topics": "主题", "Last seen": "最近到访", "Start month": "起始月份", "Week": "周", "Quarter": "季度", "Budget year": "预算年度",
	"Publish": "发布", "Tomorrow": "明天", "Binders": "文件夹", "Binder 2": "文件夹 2", "Binder 12": "文件夹 12",
	"Any segment": "任意类别", "Any tag": "任意标签", "Any region": "任意地区", "Any team": "任意团队", "Ordered from": "下单起", "Ordered until": "下单止",
	"Drop scans here": "把扫描件拖到这里", "Choose files": "选择文件",
	"About": "关于", "Alarm": "闹钟", "Opening hours": "营业时间",
	"2024-20th": "2024-20周", "2023-40th": "2023-40周",
	"Discount": "折扣", "Grade": "评级",
	"Please give the name": "请输入姓名", "Please choose the segment": "请选择类别", "Customer saved": "客户已保存",
	"That is no e-mail address": "邮箱格式不正确",
}

// matrixCases returns the cases of every action, with texts in one language.
func matrixCases(w func(string) string) []matrixCase {
	var all []matrixCase
	for _, part := range [][]matrixCase{matrixForms(w), matrixLists(w), matrixDates(w), matrixOverlays(w), matrixMenus(w), matrixTables(w), matrixNotices(w)} {
		all = append(all, part...)
	}
	return all
}

func matrixForms(w func(string) string) []matrixCase {
	customer, contact := w("Customer"), w("Contact")
	return []matrixCase{
		{action: "button:click", params: object{"text": w("Next"), "within": w("Progress")}, data: paths{"name": w("Next")}},
		{keeps: true, action: "button:click", name: "that is disabled", params: object{"text": w("Off"), "within": w("Progress")},
			code: diag.ElementNotInteractable, says: "disabled"},
		{keeps: true, action: "button:click", name: "that is there twice", params: object{"text": w("Save")}, code: diag.ElementAmbiguous, says: "2"},
		{action: "input:fill", params: object{"label": w("Name"), "value": "Ada \"L\" 爱达", "within": customer},
			data: paths{"value": "Ada \"L\" 爱达"}, state: paths{"customer.name": "Ada \"L\" 爱达", "contact.name": "<nil>"}},
		{action: "input:fill", name: "beside an equal label", params: object{"label": w("Name"), "value": "Bo", "within": contact},
			state: paths{"contact.name": "Bo", "customer.name": "<nil>"}},
		{keeps: true, action: "input:fill", name: "without saying which", params: object{"label": w("Name"), "value": "Bo"}, code: diag.ElementAmbiguous, says: "2", next: `within "` + contact + `"`},
		{keeps: true, action: "input:fill", name: "digits", params: object{"label": w("Name"), "value": "4711", "within": contact}, data: paths{"value": "4711"}, state: paths{"contact.name": "4711"}},
		{keeps: true, action: "input:fill", name: "number", params: object{"label": w("Age"), "value": "42"}, state: paths{"customer.age": "42"}},
		{keeps: true, action: "input:fill", name: "text area", params: object{"label": w("Notes"), "value": "two\nlines"}, state: paths{"customer.notes": "two\nlines"}},
		{keeps: true, action: "input:fill", name: "password", params: object{"label": w("Password"), "value": "secret"}, state: paths{"customer.password": "secret"}},
		{keeps: true, action: "checkbox:set", params: object{"label": w("Newsletter")}, data: paths{"checked": "true"}, state: paths{"customer.newsletter": "true"}},
		{keeps: true, action: "checkbox:set", name: "in a group", params: object{"label": w("Phone"), "within": w("Channels")},
			state: paths{"customer.channels.0": w("Phone"), "customer.channels.1": "<nil>"}},
		{action: "checkbox:set", name: "off", before: []call{{"checkbox:set", object{"label": w("Newsletter")}}},
			params: object{"label": w("Newsletter"), "checked": false}, state: paths{"customer.newsletter": "false"}},
		{keeps: true, action: "radio:choose", params: object{"label": w("Gender"), "option": w("Other")}, state: paths{"customer.gender": w("Other")}},
		{keeps: true, action: "switch:set", params: object{"label": w("Active"), "checked": false}, data: paths{"checked": "false"}, state: paths{"customer.active": "false"}},
		{keeps: true, action: "upload:files", params: object{"label": w("Contract"), "files": []any{"contract.txt"}}, data: paths{"count": "1"}, state: paths{"files": "[contract.txt]"}},
		{keeps: true, action: "upload:files", name: "by the words of its area", params: object{"label": w("Drop scans here"), "files": []any{"contract.txt"}}, data: paths{"count": "1"}, state: paths{"scans": "[contract.txt]"}},
		{keeps: true, action: "upload:files", name: "by the text of its button", params: object{"label": w("Choose files"), "files": []any{"contract.txt"}, "within": customer}, data: paths{"count": "1"}},
		{keeps: true, action: "form:fill", name: "with a slider and stars", params: object{"within": customer, "values": object{w("Discount"): 35, w("Grade"): 4}},
			state: paths{"customer.discount": "35", "customer.grade": "4"}},
		{action: "form:errors", before: []call{{"button:click", object{"text": w("Save"), "within": customer}}}, params: object{"within": customer},
			data: paths{"count": "2", "errors.0.message": w("Please give the name"), "errors.0.label": w("Name"), "errors.1.label": w("Segment")}},
		{action: "form:errors", name: "that come one after the other", query: "&judge=400",
			before: []call{{"button:click", object{"text": w("Save"), "within": customer}}}, params: object{"within": customer},
			data: paths{"count": "2", "errors.0.label": w("Name"), "errors.1.label": w("Segment"), "errors.1.message": w("Please choose the segment")}},
		{action: "form:submit", params: object{"within": customer}, code: diag.StepFailed, says: w("Please give the name")},
		{action: "form:submit", name: "that is good", before: []call{{"input:fill", object{"label": w("E-mail"), "value": "ada@example.test"}}},
			params: object{"within": contact}, state: paths{"log.-1": "contact saved"}},
		{action: "form:fill", params: object{"within": customer, "values": object{
			w("Name"): "Ada", w("Age"): "36", w("Segment"): w("Company"), w("Tags"): []any{w("Loyal"), w("VIP")}, w("Region"): []any{w("Europe"), w("Norway"), w("Bergen")},
			w("Customer since"): "1999-12-31", w("Period"): object{"from": "2026-01-05", "to": "2026-02-10"}, w("Call at"): "13:45:00",
			w("Newsletter"): true, w("Channels"): []any{w("Mail"), w("Phone")}, w("Gender"): w("Other"), w("Active"): false,
			w("Contract"): "contract.txt",
		}}, data: paths{"count": "13"}, state: paths{
			"customer.name": "Ada", "customer.age": "36", "customer.segment": w("Company"), "customer.tags": "[" + w("Loyal") + " " + w("VIP") + "]",
			"customer.region": "[eu no brg]", "customer.since": "1999-12-31", "customer.newsletter": "true", "customer.gender": w("Other"), "customer.active": "false",
			"customer.channels": "[" + w("Mail") + " " + w("Phone") + "]", "customer.period": "[2026-01-05 2026-02-10]", "customer.at": "13:45:00",
			"files": "[contract.txt]",
		}},
		{keeps: true, action: "form:fill", name: "with less than before", params: object{"within": customer, "values": object{w("Channels"): []any{w("Phone")}, w("Tags"): []any{w("VIP")}}},
			state: paths{"customer.channels": "[" + w("Phone") + "]", "customer.tags": "[" + w("VIP") + "]"}},
		{keeps: true, action: "form:fill", name: "with nothing of it", params: object{"within": customer, "values": object{w("Channels"): []any{}, w("Tags"): []any{}}},
			state: paths{"customer.channels": "[]", "customer.tags": "[]"}},
		{action: "form:fill", name: "with a field that fills another", params: object{"within": contact, "values": object{w("City"): w("Bergen"), w("Name"): "Bo", w("Province"): w("North")}},
			state: paths{"contact.province": w("North"), "contact.city": w("Bergen"), "contact.name": "Bo"}},
		{action: "form:fill", name: "in a dialog", before: []call{{"dialog:open", object{"text": w("New order"), "title": w("New order")}}},
			params: object{"within": w("New order"), "values": object{w("Name"): "Bo", w("Product"): "Kaleidoscope", w("Quantity"): "7", w("Express"): true}},
			state:  paths{"order.name": "Bo", "order.product": "Kaleidoscope", "order.quantity": "7", "order.express": "true", "customer.name": "<nil>"}},
		{action: "form:fill", name: "in a drawer", before: []call{{"drawer:open", object{"text": w("Edit profile")}}},
			params: object{"within": w("Profile"), "values": object{w("Name"): "Cai", w("Language"): "Norsk", w("Birthday"): "1970-02-03"}},
			state:  paths{"profile.name": "Cai", "profile.language": "Norsk", "profile.birthday": "1970-02-03", "customer.name": "<nil>"}},
	}
}

// paths maps paths in a result or a state to the expected texts.
type paths = map[string]string

func matrixLists(w func(string) string) []matrixCase {
	return []matrixCase{
		{action: "select:choose", params: object{"label": w("Segment"), "option": w("School")}, data: paths{"option": w("School")}, state: paths{"customer.segment": w("School")}},
		{keeps: true, action: "select:choose", name: "again", params: object{"label": w("Segment"), "option": w("Company")}, state: paths{"customer.segment": w("Company")}},
		{keeps: true, action: "select:choose", name: "several", params: object{"label": w("Tags"), "options": []any{w("Loyal"), w("VIP")}},
			state: paths{"customer.tags": "[" + w("Loyal") + " " + w("VIP") + "]"}},
		{keeps: true, action: "select:choose", name: "one that is chosen", params: object{"label": w("Tags"), "option": w("VIP")},
			state: paths{"customer.tags": "[" + w("Loyal") + " " + w("VIP") + "]"}},
		{keeps: true, action: "select:choose", name: "others", params: object{"label": w("Tags"), "options": []any{w("New"), w("VIP")}},
			state: paths{"customer.tags": "[" + w("VIP") + " " + w("New") + "]"}},
		{keeps: true, action: "select:choose", name: "one more", params: object{"label": w("Tags"), "option": w("Loyal")},
			state: paths{"customer.tags": "[" + w("VIP") + " " + w("New") + " " + w("Loyal") + "]"}},
		{keeps: true, action: "select:choose", name: "none", params: object{"label": w("Tags"), "options": []any{}}, state: paths{"customer.tags": "[]"}},
		{action: "select:choose", name: "others than are shown", before: []call{{"select:choose", object{"label": w("Topics"), "options": []any{"Item 2", "Item 35", "Item 9"}}}},
			params: object{"label": w("Topics"), "options": []any{"Item 9", "Item 38"}}, state: paths{"customer.topics": "[Item 9 Item 38]"}},
		{action: "select:choose", name: "several of a list of one", before: []call{{"select:choose", object{"label": w("Segment"), "option": w("School")}}},
			params: object{"label": w("Segment"), "options": []any{w("Private"), w("Company")}}, code: diag.StepFailed, says: "takes one option", state: paths{"customer.segment": w("School")}},
		{keeps: true, action: "select:choose", name: "searchable", params: object{"label": w("Product"), "option": "Magnifier"}, state: paths{"customer.product": "Magnifier"}},
		{keeps: true, action: "select:choose", name: "of 1,000", params: object{"label": w("Item"), "option": "Item 777"}, state: paths{"customer.item": "Item 777"}},
		{action: "select:choose", name: "that comes late", query: "&late=900", params: object{"label": w("Source"), "option": "Beta"}, state: paths{"customer.source": "Beta"}},
		{action: "select:choose", name: "several that are looked for", params: object{"label": w("Helpers"), "options": []any{"Anna", "Bert"}}, state: paths{"customer.helpers": "[Anna Bert]"}},
		{keeps: true, action: "select:choose", name: "others that are looked for", params: object{"label": w("Helpers"), "options": []any{"Annika", "Bert"}},
			state: paths{"customer.helpers": "[Bert Annika]"}},
		{action: "select:choose", name: "that is not there", params: object{"label": w("Segment"), "option": "Zoo"}, code: diag.StepFailed, says: `there are "` + w("Private") + `", "` + w("Company") + `", "` + w("School") + `"`},
		{action: "select:choose", name: "that is disabled", params: object{"label": w("Terms"), "option": w("Private")}, code: diag.ElementNotInteractable, says: "disabled"},
		{keeps: true, action: "select:options", params: object{"label": w("Segment")}, data: paths{"count": "3", "options.0.text": w("Private"), "options.2.text": w("School")}},
		{keeps: true, action: "select:options", name: "of 1,000", params: object{"label": w("Item")}, data: paths{"count": "1000", "options.0.text": "Item 1", "options.999.text": "Item 1000"}},
		{action: "select:choose", name: "in a tree that is folded up", not: "element2", params: object{"label": w("Team"), "option": w("South")}, state: paths{"customer.team": "south"}},
		{keeps: true, action: "cascader:choose", params: object{"label": w("Region"), "path": []any{w("Europe"), w("Norway"), w("Bergen")}}, state: paths{"customer.region": "[eu no brg]"}},
		{keeps: true, action: "cascader:choose", name: "of several", only: "element", params: object{"label": w("Areas"), "path": []any{w("Europe"), w("Norway"), w("Bergen")}},
			state: paths{"customer.areas": "[[eu no brg]]"}},
		{keeps: true, action: "cascader:choose", name: "all of a part, which shows its name only", only: "antd", not: "antd3", params: object{"label": w("Areas"), "path": []any{w("Europe"), w("Sweden"), w("Stockholm")}},
			state: paths{"customer.areas": "[[eu se]]"}},
		{action: "select:choose", name: "without a label", query: "&bar=1", params: object{"label": w("Any segment"), "option": w("School")}, data: paths{"option": w("School")}, state: paths{"bar.segment": w("School")}},
		{keeps: true, action: "select:choose", name: "several without a label", query: "&bar=1", params: object{"label": w("Any tag"), "options": []any{w("Loyal"), w("VIP")}}, state: paths{"bar.tags": "[" + w("Loyal") + " " + w("VIP") + "]"}},
		{keeps: true, action: "select:choose", name: "in a tree without a label", query: "&bar=1", not: "element2", params: object{"label": w("Any team"), "option": w("South")}, state: paths{"bar.team": "south"}},
		{keeps: true, action: "cascader:choose", name: "without a label", query: "&bar=1", params: object{"label": w("Any region"), "path": []any{w("Europe"), w("Norway"), w("Bergen")}}, state: paths{"bar.region": "[eu no brg]"}},
		{action: "cascader:choose", name: "that is not there", params: object{"label": w("Region"), "path": []any{w("Europe"), "Mars"}}, code: diag.StepFailed, says: w("Norway")},
	}
}

func matrixDates(w func(string) string) []matrixCase {
	return []matrixCase{
		{keeps: true, action: "date:pick", params: object{"label": w("Customer since"), "value": "2026-05-01"}, data: paths{"value": "2026-05-01"}, state: paths{"customer.since": "2026-05-01"}},
		{keeps: true, action: "date:pick", name: "of long ago", params: object{"label": w("Customer since"), "value": "1957-10-04"}, state: paths{"customer.since": "1957-10-04"}},
		{action: "date:pick", name: "that cannot be picked", only: "element", params: object{"label": w("Customer since"), "value": "2100-03-05"}, code: diag.StepFailed, says: "cannot be picked"},
		{keeps: true, action: "date:pick", name: "that is none", only: "element", params: object{"label": w("Customer since"), "value": "2026-02-30"}, code: diag.StepFailed, says: "there is no 2026-02-30",
			state: paths{"customer.since": "<nil>"}},
		{keeps: true, action: "form:errors", name: "after a day was picked", params: object{"within": w("Customer")}, data: paths{"count": "0"}},
		{keeps: true, action: "date:range", params: object{"label": w("Period"), "from": "2026-01-05", "to": "2027-02-10"}, state: paths{"customer.period": "[2026-01-05 2027-02-10]"}},
		{keeps: true, action: "date:range", name: "in one month", params: object{"label": w("Period"), "from": "1999-12-03", "to": "1999-12-24"}, state: paths{"customer.period": "[1999-12-03 1999-12-24]"}},
		{keeps: true, action: "date:range", name: "that ends before it begins", only: "element", params: object{"label": w("Period"), "from": "2026-02-10", "to": "2026-01-05"},
			code: diag.StepFailed, says: "is after", state: paths{"customer.period": "[1999-12-03 1999-12-24]"}},
		{action: "date:range", name: "without a label", query: "&bar=1", params: object{"label": w("Ordered from"), "from": "2026-01-05", "to": "2026-02-10"}, state: paths{"bar.ordered": "[2026-01-05 2026-02-10]"}},
		{keeps: true, action: "date:range", name: "without a label, by its end", query: "&bar=1", params: object{"label": w("Ordered until"), "from": "2026-03-05", "to": "2026-03-06"}, state: paths{"bar.ordered": "[2026-03-05 2026-03-06]"}},
		{keeps: true, action: "form:fill", name: "with a range without a label", query: "&bar=1", params: object{"values": object{w("Ordered from"): object{"from": "2025-12-30", "to": "2026-03-06"}}}, state: paths{"bar.ordered": "[2025-12-30 2026-03-06]"}},
		{action: "date:range", name: "in another order", not: "antd3", params: object{"label": w("Stay"), "from": "2025-11-03", "to": "2026-02-28"},
			state: paths{"customer.stay": "[2025-11-03 2026-02-28]"}},
		{keeps: true, action: "date:pick", name: "and a time in another order", params: object{"label": w("Call back"), "value": "2026-03-02 14:15"},
			state: paths{"customer.recall": "2026-03-02 14:15"}},
		{keeps: true, action: "date:pick", name: "and another time in another order", params: object{"label": w("Call back"), "value": "2026-03-02 09:05"},
			state: paths{"customer.recall": "2026-03-02 09:05"}},
		{keeps: true, action: "date:pick", name: "of a month", params: object{"label": w("Invoice month"), "value": "2027-11"}, state: paths{"customer.month": "2027-11"}},
		{keeps: true, action: "date:pick", name: "where a month is wanted", params: object{"label": w("Invoice month"), "value": "2027-11-05"},
			code: diag.StepFailed, says: "YYYY-MM,"},
		{action: "date:pick", name: "and a time", only: "antd", params: object{"label": w("Last seen"), "value": "2026-03-02 14:15:16"}, state: paths{"customer.seen": "2026-03-02 14:15:16"}},
		{keeps: true, action: "date:pick", name: "of a month as it is shown", only: "antd", params: object{"label": w("Start month"), "value": "1998-02"},
			data: paths{"value": "1998-02"}, state: paths{"customer.start": "1998-02"}},
		{keeps: true, action: "date:pick", name: "of a week", only: "antd", params: object{"label": w("Week"), "value": "2024-05-15"},
			data: paths{"value": w("2024-20th")}, state: paths{"customer.week": "2024-20"}},
		{keeps: true, action: "date:pick", name: "of a week as it is shown", only: "antd", params: object{"label": w("Week"), "value": w("2023-40th")},
			data: paths{"value": w("2023-40th")}, state: paths{"customer.week": "2023-40"}},
		{keeps: true, action: "date:pick", name: "of a quarter", only: "antd", not: "antd3", params: object{"label": w("Quarter"), "value": "2024-Q2"},
			data: paths{"value": "2024-Q2"}, state: paths{"customer.quarter": "2024-Q2"}},
		{keeps: true, action: "date:pick", name: "of a year", only: "antd", not: "antd3", params: object{"label": w("Budget year"), "value": "2041"},
			data: paths{"value": "2041"}, state: paths{"customer.year": "2041"}},
		{keeps: true, action: "form:fill", name: "with months and weeks", only: "antd", params: object{"within": w("Customer"), "values": object{
			w("Invoice month"): "2025-01", w("Start month"): "2025-12", w("Week"): "2025-06-05", w("Call back"): "1999-12-31 23:59"}},
			state: paths{"customer.month": "2025-01", "customer.start": "2025-12", "customer.week": "2025-23", "customer.recall": "1999-12-31 23:59"}},
		{keeps: true, action: "time:pick", params: object{"label": w("Call at"), "value": "13:45:10"}, state: paths{"customer.at": "13:45:10"}},
		{keeps: true, action: "time:pick", name: "of a clock of 12 hours", params: object{"label": w("Alarm"), "value": "14:45"}, state: paths{"customer.alarm": "14:45"}},
		{keeps: true, action: "time:pick", name: "of a clock of 12 hours in the morning", params: object{"label": w("Alarm"), "value": "00:05"}, state: paths{"customer.alarm": "00:05"}},
		{keeps: true, action: "date:range", name: "of times", not: "antd3", params: object{"label": w("Opening hours"), "from": "09:00:00", "to": "17:30:00"},
			state: paths{"customer.hours": "[09:00:00 17:30:00]"}},
		{action: "date:pick", name: "in a dialog", before: []call{{"dialog:open", object{"text": w("New order")}}},
			params: object{"label": w("Delivery"), "value": "2026-12-24", "within": w("New order")}, state: paths{"order.delivery": "2026-12-24", "log": "[]"}},
	}
}

func matrixOverlays(w func(string) string) []matrixCase {
	order := call{"dialog:open", object{"text": w("New order")}}
	reset := call{"dialog:open", object{"text": w("Reset"), "title": w("Reset all?")}}
	stock := call{"dialog:open", object{"text": w("Check stock"), "title": w("Stock")}}
	return []matrixCase{
		{action: "dialog:open", params: object{"text": w("New order"), "title": w("New order")}},
		{action: "dialog:open", name: "over another", before: []call{order}, params: object{"text": w("Check stock")}, data: paths{"name": w("Stock")}},
		{action: "dialog:open", name: "over another that says its title", only: "element", before: []call{order}, params: object{"text": w("Stock"), "title": w("Stock"), "within": w("New order")},
			data: paths{"name": w("Stock")}},
		{action: "dialog:confirm", before: []call{order, {"input:fill", object{"label": w("Name"), "value": "Eva", "within": w("New order")}}},
			params: object{"title": w("New order")}, state: paths{"order.name": "Eva"}},
		{action: "dialog:confirm", name: "that complains", before: []call{order}, params: object{"title": w("New order")}, code: diag.StepFailed, says: w("Please give the name")},
		{action: "dialog:confirm", name: "over another", before: []call{order, stock}, params: object{"title": w("Stock")}, state: paths{"log": "[stock confirmed]"}},
		{action: "dialog:confirm", name: "without saying which", before: []call{order, stock}, code: diag.ElementAmbiguous, says: "2", next: `"` + w("Stock") + `"`},
		{action: "dialog:confirm", name: "that is not open", code: diag.ElementNotFound, says: "no dialog is open"},
		{action: "dialog:cancel", before: []call{order}, state: paths{"log": "[order cancelled]"}},
		{action: "dialog:confirm", name: "that leads to another", before: []call{reset}, data: paths{"title": w("Reset all?")}, state: paths{"log": "[reset]"}},
		{keeps: true, action: "dialog:confirm", name: "that another led to", data: paths{"title": w("Done")}, state: paths{"log": "[reset seen]"}},
		{action: "dialog:cancel", name: "where another was closed", before: []call{order, {"dialog:cancel", nil}, reset}, state: paths{"log": "[order cancelled reset cancelled]"}},
		{action: "dialog:cancel", name: "over another", before: []call{order, stock}, params: object{"title": w("Stock")}, state: paths{"log": "[stock cancelled]"}},
		{action: "drawer:open", params: object{"text": w("Edit profile"), "title": w("Profile")}},
		{action: "drawer:close", before: []call{{"drawer:open", object{"text": w("Edit profile")}}}, state: paths{"log": "[drawer closed]"}},
		{action: "popconfirm:accept", before: []call{{"table:row-action", object{"row": object{w("Order"): "1003"}, "text": w("Delete"), "within": w("Orders")}}},
			state: paths{"log": "[deleted 1003]"}},
	}
}

func matrixMenus(w func(string) string) []matrixCase {
	return []matrixCase{
		{action: "menu:select", params: object{"path": []any{w("Settings"), w("Users"), w("Roles")}}, state: paths{"log": "[menu roles]"}},
		{action: "menu:select", name: "twice", before: []call{{"menu:select", object{"path": []any{w("Settings"), w("Users"), w("Roles")}}}},
			params: object{"path": []any{w("Settings"), w("Mail server")}}, state: paths{"log": "[menu roles menu mail]"}},
		{keeps: true, action: "menu:select", name: "of two alike", only: "element", params: object{"path": []any{w("Reports"), w("Roles")}, "within": w("Menu")},
			state: paths{"log.-1": "menu report"}},
		{action: "menu:select", name: "that opens aside", query: "&menu=vertical", params: object{"path": []any{w("Settings"), w("Users"), w("Roles")}}, state: paths{"log": "[menu roles]"}},
		{action: "menu:select", name: "that has no room", not: "element2", query: "&menu=narrow", params: object{"path": []any{w("About")}, "within": w("Menu")},
			state: paths{"log.-1": "menu about"}},
		{action: "menu:select", name: "in a part that has no room", not: "element2", query: "&menu=narrow", params: object{"path": []any{w("Settings"), w("Mail server")}, "within": w("Menu")},
			state: paths{"log.-1": "menu mail"}},
		{action: "menu:select", name: "of two alike, one deeper", only: "element", query: "&menu=vertical", params: object{"path": []any{w("Reports"), w("Archive"), w("Roles")}},
			state: paths{"log": "[menu oldReport]"}},
		{action: "menu:select", name: "that is disabled", params: object{"path": []any{w("Off")}, "within": w("Menu")},
			code: diag.ElementNotInteractable, says: w("Off") + " is disabled"},
		{action: "dropdown:choose", name: "that is not there", before: []call{{"table:row-action", object{"row": object{w("Order"): "1003"}, "text": w("More"), "within": w("Orders")}}},
			params: object{"option": "Nothing"}, code: diag.StepFailed, says: w("Copy")},
		{action: "dropdown:choose", name: "beside another that is open", only: "element", before: []call{{"button:click", object{"text": w("Import")}}},
			params: object{"text": w("Export"), "option": "PDF"}, state: paths{"log": "[Export pdf]"}},
		{action: "dropdown:choose", name: "beside a button that does something itself", params: object{"text": w("Publish"), "option": w("Tomorrow"), "within": w("Progress")},
			state: paths{"log": "[publish tomorrow]"}},
		{keeps: true, action: "tabs:switch", params: object{"text": w("History")}, state: paths{"tab": "history"}},
		{keeps: true, action: "tabs:switch", name: "that is disabled", only: "element", params: object{"text": w("Closed")}, code: diag.StepFailed, says: "disabled"},
		{action: "tabs:switch", name: "that is cut off", params: object{"text": w("Binder 12"), "within": w("Binders")}, state: paths{"binder": "b12"}},
		{keeps: true, action: "tabs:switch", name: "that is cut off before the others", params: object{"text": w("Binder 2"), "within": w("Binders")},
			state: paths{"binder": "b2"}},
		{keeps: true, action: "tree:expand", params: object{"path": []any{w("Head office"), w("Sales")}, "within": w("Places")}, state: paths{"expanded": "[head sales]"}},
		{action: "tree:select", params: object{"path": []any{w("Head office"), w("Sales"), w("North")}, "within": w("Places")}, state: paths{"tree": "[north]"}},
		{keeps: true, action: "tree:select", name: "of two alike", only: "element", params: object{"path": []any{w("Warehouse"), w("North")}, "within": w("Places")},
			state: paths{"tree": "[depot]"}},
	}
}

func matrixTables(w func(string) string) []matrixCase {
	orders := w("Orders")
	return []matrixCase{
		{keeps: true, action: "table:read", params: object{"within": orders}, data: paths{"count": "10", "rows.0." + w("Order"): "1000", "rows.9." + w("Product"): "Kaleidoscope", "rows.1." + w("Quantity"): "8"}},
		{keeps: true, action: "table:find", params: object{"row": object{w("Product"): "Compass", w("Quantity"): "15"}, "within": orders},
			data: paths{"count": "1", "row." + w("Order"): "1002"}},
		{keeps: true, action: "table:find", name: "by text", params: object{"row": "Eva E.", "within": orders}, data: paths{"count": "1", "row." + w("Order"): "1004"}},
		{keeps: true, action: "table:find", name: "that is not there", params: object{"row": "Nobody", "within": orders}, data: paths{"count": "0"}},
		{action: "table:sort", params: object{"column": w("Quantity"), "within": orders}, state: paths{"table.sort": "quantity ascend"}},
		{action: "table:sort", name: "descending", params: object{"column": w("Order"), "order": "descending", "within": orders}, state: paths{"table.sort": "order descend"}},
		{action: "table:sort", name: "where it can be filtered too", only: "element", params: object{"column": w("Status"), "within": orders}, state: paths{"table.sort": "status ascend"}},
		{action: "table:filter", params: object{"column": w("Status"), "options": []any{w("Paid")}, "within": orders}, state: paths{"table.filters": "[" + w("Paid") + "]"}},
		{action: "table:filter", name: "that is not there", params: object{"column": w("Status"), "options": []any{"Nothing"}, "within": orders}, code: diag.StepFailed, says: w("Paid")},
		{action: "table:filter", name: "of one choice", query: "&one=1", params: object{"column": w("Status"), "options": []any{w("Paid")}, "within": orders}, state: paths{"table.filters": "[" + w("Paid") + "]"}},
		{action: "table:filter", name: "of one choice, for all", query: "&one=1", before: []call{{"table:filter", object{"column": w("Status"), "options": []any{w("Paid")}, "within": orders}}},
			params: object{"column": w("Status"), "options": []any{}, "within": orders}, state: paths{"table.filters": "[]"}},
		{action: "table:filter", name: "of one choice, for two", query: "&one=1", params: object{"column": w("Status"), "options": []any{w("Paid"), w("Open")}, "within": orders}, code: diag.StepFailed, says: "one text only"},
		{action: "pagination:go", name: "where it is typed", only: "antd", query: "&one=1", params: object{"page": 3, "within": orders}, data: paths{"page": "3"}, state: paths{"table.page": "3"}},
		{action: "table:filter", name: "that has none", params: object{"column": w("Product"), "options": []any{"Anvil"}, "within": orders}, code: diag.StepFailed, says: "cannot be filtered"},
		{action: "table:row-action", params: object{"row": object{w("Order"): "1003"}, "text": w("Edit"), "within": orders}, state: paths{"log": "[edit 1003]"}},
		{action: "table:row-action", name: "without such a row", params: object{"row": "Nobody", "text": w("Edit"), "within": orders}, code: diag.ElementNotFound, says: "Nobody"},
		{action: "dropdown:choose", before: []call{{"table:row-action", object{"row": object{w("Order"): "1003"}, "text": w("More"), "within": orders}}},
			params: object{"option": w("Copy")}, state: paths{"log": "[copy 1003]"}},
		{keeps: true, action: "pagination:go", params: object{"page": 3, "within": orders}, data: paths{"page": "3"}, state: paths{"table.page": "3"}},
		{keeps: true, action: "pagination:go", name: "that is not there", params: object{"page": 9, "within": orders}, code: diag.StepFailed, says: "the last one is 4"},
	}
}

func matrixNotices(w func(string) string) []matrixCase {
	next := call{"button:click", object{"text": w("Next"), "within": w("Progress")}}
	return []matrixCase{
		{action: "message:read", before: []call{{"button:click", object{"text": w("Greet")}}}, data: paths{"text": w("Good day")}},
		{action: "notification:close", before: []call{{"button:click", object{"text": w("Notify")}}}, params: object{"title": w("Backup")}},
		{keeps: true, action: "steps:current", params: object{"within": w("Progress")}, data: paths{"title": w("Address"), "count": "3"}},
		{action: "steps:current", name: "where all are done", before: []call{next, next}, params: object{"within": w("Progress")}, data: paths{"title": "<nil>", "count": "3"}},
	}
}
