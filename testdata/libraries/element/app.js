// The application for Element UI 2 (Vue 2) and Element Plus 2 (Vue 3). What the
// two call differently is in the adapters at the top; the application below is
// the same for both.

const plus = "ElementPlus" in window;
const library = plus ? ElementPlus : ELEMENT;
const query = new URLSearchParams(location.search);
const zh = query.get("locale") === "zh";
const late = Number(query.get("late") || 300);
const judge = Number(query.get("judge") || 0);
const t = (en, cn) => (zh ? cn : en);

// state is what a test reads; log is what was pressed and confirmed.
const state = { log: [] };

function show() {
  document.getElementById("state").textContent = JSON.stringify(state, null, 1);
}

function set(key, value) {
  state[key] = value;
  show();
}

function log(line) {
  state.log.push(line);
  show();
}

// Adapters: pieces of templates, and how an application is started.

const shown = plus ? "v-model" : ":visible.sync";
const submitted = plus ? "@submit.prevent" : "@submit.native.prevent";
const boxValue = plus ? ":value" : ":label";
const submenu = plus ? "el-sub-menu" : "el-submenu";
const longSelect = plus
  ? `<el-select-v2 v-model="model.item" :options="numbers" style="width: 100%"></el-select-v2>`
  : `<el-select v-model="model.item" style="width: 100%"><el-option v-for="o in numbers" :key="o.value" v-bind="o"></el-option></el-select>`;
const treeSelect = plus
  ? `<el-form-item label="${t("Team", "团队")}" prop="team"><el-tree-select v-model="model.team" :data="places" node-key="id" value-key="id" style="width: 100%"></el-tree-select></el-form-item>`
  : "";
const days = plus ? `value-format="YYYY-MM-DD"` : `value-format="yyyy-MM-dd"`;
// otherDays shows days in the order of another country than the one that values have.
const otherDays = `${days} ${plus ? `format="DD/MM/YYYY"` : `format="dd/MM/yyyy"`}`;
const otherTimes = plus
  ? `value-format="YYYY-MM-DD HH:mm" format="DD/MM/YYYY HH:mm"`
  : `value-format="yyyy-MM-dd HH:mm" format="dd/MM/yyyy HH:mm"`;
const otherMonths = plus ? `value-format="YYYY-MM" format="MM/YYYY"` : `value-format="yyyy-MM" format="MM/yyyy"`;
const message = plus ? ElementPlus.ElMessage : ELEMENT.Message;
const notified = plus ? ElementPlus.ElNotification : ELEMENT.Notification;

function start(component) {
  if (!plus) {
    ELEMENT.locale(zh ? ELEMENT.lang.zhCN : ELEMENT.lang.en);
    new Vue({ render: (h) => h(component) }).$mount("#app");
    return;
  }
  const whole = {
    components: { Application: component },
    data: () => ({ namespace: query.get("prefix") || "el", locale: zh ? ElementPlusLocaleZhCn : ElementPlusLocaleEn }),
    template: `<el-config-provider :namespace="namespace" :locale="locale"><Application></Application></el-config-provider>`,
  };
  Vue.createApp(whole).use(ElementPlus).mount("#app");
}

// Data.

const options = (...labels) => labels.map((label) => ({ value: label, label }));
const products = options("Anvil", "Bellows", "Compass", "Drill press", "Easel", "Filing cabinet", "Globe", "Hand mill",
  "Inkwell", "Kaleidoscope", "Lantern", "Magnifier");
const regions = [
  { value: "eu", label: t("Europe", "欧洲"), children: [
    { value: "no", label: t("Norway", "挪威"), children: [{ value: "osl", label: t("Oslo", "奥斯陆") }, { value: "brg", label: t("Bergen", "卑尔根") }] },
    { value: "se", label: t("Sweden", "瑞典"), children: [{ value: "sto", label: t("Stockholm", "斯德哥尔摩") }] }] },
  { value: "as", label: t("Asia", "亚洲"), children: [
    { value: "cn", label: t("China", "中国"), children: [{ value: "bj", label: t("Beijing", "北京") }, { value: "sh", label: t("Shanghai", "上海") }] }] },
];
const places = [
  { label: t("Head office", "总部"), id: "head", children: [
    { label: t("Sales", "销售部"), id: "sales", children: [{ label: t("North", "北区"), id: "north" }, { label: t("South", "南区"), id: "south" }] },
    { label: t("Support", "支持部"), id: "support" }] },
  { label: t("Warehouse", "仓库"), id: "store", children: [{ label: t("Hall A", "A 厅"), id: "a" }, { label: t("Hall B", "B 厅"), id: "b" }, { label: t("North", "北区"), id: "depot" }] },
];

// The towns of a province, which are known when it is chosen.
const towns = { [t("North", "北区")]: [t("Oslo", "奥斯陆"), t("Bergen", "卑尔根")], [t("South", "南区")]: [t("Rome", "罗马")] };

// The forms.

// makeForm returns a component with a form of its own. items is the template of
// its fields, which are the keys of initial; submit is called when all are valid.
function makeForm(name, initial, rules, items, submit, layout = `label-position="top"`) {
  return {
    data: () => ({
      model: { ...initial }, rules, late: [], helpers: [], products, regions, places,
      numbers: options(...Array.from({ length: 1000 }, (_, i) => `Item ${i + 1}`)),
      segments: options(t("Private", "个人"), t("Company", "公司"), t("School", "学校")),
      tags: options(t("New", "新客户"), t("Loyal", "老客户"), t("Late payer", "欠款"), t("VIP", "贵宾")),
      areas: options(...Object.keys(towns)), towns: Object.fromEntries(Object.entries(towns).map(([area, names]) => [area, options(...names)])),
      far: (day) => day.getFullYear() > 2090,
      channels: [t("Mail", "邮件"), t("Phone", "电话"), t("Post", "信件")],
      genders: [t("Female", "女"), t("Male", "男"), t("Other", "其他")],
      languages: options("English", "Norsk", "中文"),
    }),
    watch: { model: { deep: true, immediate: true, handler(model) { set(name, { ...model }); } } },
    methods: {
      load(open) { // the list whose options come after it was opened
        if (open && !this.late.length) setTimeout(() => { this.late = options("Alpha", "Beta", "Gamma"); }, late);
      },
      look(text) { // the list that shows what is typed, later
        clearTimeout(this.timer);
        this.helpers = [];
        if (text) this.timer = setTimeout(() => { this.helpers = options(...["Anna", "Annika", "Bert", "Berta"].filter((name) => name.includes(text))); }, late);
      },
      files(_, list) { set("files", list.map((f) => f.name)); },
      scans(_, list) { set("scans", list.map((f) => f.name)); },
      submit() {
        this.$refs.form.validate((valid) => valid ? submit() : log(`${name} invalid`));
      },
    },
    template: `<el-form ref="form" :model="model" :rules="rules" ${layout} ${submitted}="submit">${items}</el-form>`,
  };
}

const item = (field, en, cn, control) => `<el-form-item ${en ? `label="${t(en, cn)}"` : ""} prop="${field}">${control}</el-form-item>`;
const select = (field, list, more = "") =>
  `<el-select v-model="model.${field}" ${more} style="width: 100%"><el-option v-for="o in ${list}" :key="o.value" v-bind="o"></el-option></el-select>`;
const save = (more = `type="primary"`) => `<el-button native-type="submit" ${more}>${t("Save", "保存")}</el-button>`;
const required = (en, cn) => [{ required: true, message: t(en, cn) }];
// judged is required, but for the time that it takes.
function judged(en, cn) {
  if (!judge) return required(en, cn);
  return [{ validator: (rule, value, callback) => void setTimeout(() => callback(value ? undefined : new Error(t(en, cn))), judge) }];
}

function saved(name) {
  return () => {
    log(`${name} saved`);
    message.success(t("Customer saved", "客户已保存"));
  };
}

const Customer = makeForm("customer", {
  name: undefined, age: undefined, notes: undefined, password: undefined, segment: undefined, fixed: undefined, tags: [], topics: [], product: undefined, item: undefined,
  source: undefined, helpers: [], region: undefined, areas: [], team: undefined, since: undefined, period: undefined, stay: undefined, recall: undefined, month: undefined,
  at: undefined, alarm: undefined, hours: undefined, newsletter: undefined, channels: [],
  gender: undefined, active: true, discount: 20, grade: undefined,
}, {
  name: required("Please give the name", "请输入姓名"),
  segment: judged("Please choose the segment", "请选择类别"),
}, [
  item("name", "Name", "姓名", `<el-input v-model="model.name" :maxlength="40"></el-input>`),
  item("age", "Age", "年龄", `<el-input-number v-model="model.age" :min="0" :max="150"></el-input-number>`),
  item("notes", "Notes", "备注", `<el-input type="textarea" v-model="model.notes" :rows="2"></el-input>`),
  item("password", "Password", "密码", `<el-input v-model="model.password" show-password></el-input>`),
  item("segment", "Segment", "类别", select("segment", "segments", `placeholder="${t("Choose", "请选择")}"`)),
  item("fixed", "Terms", "条款", select("fixed", "segments", "disabled")),
  item("tags", "Tags", "标签", select("tags", "tags", "multiple")),
  item("topics", "Topics", "主题", select("topics", "numbers.slice(0, 40)", "multiple collapse-tags")),
  item("product", "Product", "产品", select("product", "products", "filterable")),
  item("item", "Item", "条目", longSelect),
  item("source", "Source", "来源", select("source", "late", `@visible-change="load"`)),
  item("helpers", "Helpers", "帮手", select("helpers", "helpers", `multiple filterable remote reserve-keyword :remote-method="look"`)),
  item("region", "Region", "地区", `<el-cascader v-model="model.region" :options="regions" style="width: 100%"></el-cascader>`),
  item("areas", "Areas", "片区", `<el-cascader v-model="model.areas" :options="regions" :props="{ multiple: true }" collapse-tags style="width: 100%"></el-cascader>`),
  treeSelect,
  item("since", "Customer since", "开户日期", `<el-date-picker v-model="model.since" type="date" ${days} ${plus ? `:disabled-date="far"` : `:picker-options="{ disabledDate: far }"`}></el-date-picker>`),
  item("period", "Period", "期间", `<el-date-picker v-model="model.period" type="daterange" ${days}></el-date-picker>`),
  item("stay", "Stay", "入住", `<el-date-picker v-model="model.stay" type="daterange" unlink-panels ${otherDays}></el-date-picker>`),
  item("recall", "Call back", "回电", `<el-date-picker v-model="model.recall" type="datetime" ${otherTimes}></el-date-picker>`),
  item("month", "Invoice month", "账单月份", `<el-date-picker v-model="model.month" type="month" ${otherMonths}></el-date-picker>`),
  item("at", "Call at", "致电时间", `<el-time-picker v-model="model.at" value-format="HH:mm:ss"></el-time-picker>`),
  item("alarm", "Alarm", "闹钟", `<el-time-picker v-model="model.alarm" value-format="HH:mm" format="hh:mm A"></el-time-picker>`),
  item("hours", "Opening hours", "营业时间", `<el-time-picker v-model="model.hours" is-range value-format="HH:mm:ss"></el-time-picker>`),
  item("newsletter", "", "", `<el-checkbox v-model="model.newsletter">${t("Newsletter", "订阅")}</el-checkbox>`),
  item("channels", "Channels", "渠道", `<el-checkbox-group v-model="model.channels"><el-checkbox v-for="v in channels" :key="v" ${boxValue}="v">{{ v }}</el-checkbox></el-checkbox-group>`),
  item("gender", "Gender", "性别", `<el-radio-group v-model="model.gender"><el-radio v-for="v in genders" :key="v" ${boxValue}="v">{{ v }}</el-radio></el-radio-group>`),
  item("active", "Active", "启用", `<el-switch v-model="model.active"></el-switch>`),
  item("discount", "Discount", "折扣", `<el-slider v-model="model.discount"></el-slider>`),
  item("grade", "Grade", "评级", `<el-rate v-model="model.grade"></el-rate>`),
  item("contract", "Contract", "合同", `<el-upload action="#" multiple :auto-upload="false" :on-change="files"><el-button>${t("Choose files", "选择文件")}</el-button></el-upload>`),
  `<el-upload drag action="#" :auto-upload="false" :on-change="scans"><p>${t("Drop scans here", "把扫描件拖到这里")}</p></el-upload>`,
  save(),
].join(""), saved("customer"));

const Contact = makeForm("contact", { name: undefined, mail: undefined, province: undefined, city: undefined },
  { mail: [{ type: "email", message: t("That is no e-mail address", "邮箱格式不正确") }] },
  item("name", "Name", "姓名", `<el-input v-model="model.name"></el-input>`) +
  item("mail", "E-mail", "邮箱", `<el-input v-model="model.mail"></el-input>`) +
  item("province", "Province", "省份", select("province", "areas", `@change="model.city = undefined"`)) +
  item("city", "City", "城市", select("city", "towns[model.province]", `:disabled="!model.province"`)) +
  save(""), saved("contact"), `label-width="120px"`);

// Bar has fields without labels, which are named by what they show while they are empty.
const Bar = makeForm("bar", { segment: undefined, tags: [], region: undefined, team: undefined, ordered: undefined }, {},
  select("segment", "segments", `placeholder="${t("Any segment", "任意类别")}"`) + select("tags", "tags", `multiple placeholder="${t("Any tag", "任意标签")}"`) +
  `<el-cascader v-model="model.region" :options="regions" placeholder="${t("Any region", "任意地区")}"></el-cascader>` +
  (plus ? `<el-tree-select v-model="model.team" :data="places" node-key="id" value-key="id" placeholder="${t("Any team", "任意团队")}"></el-tree-select>` : "") +
  `<el-date-picker v-model="model.ordered" type="daterange" start-placeholder="${t("Ordered from", "下单起")}" end-placeholder="${t("Ordered until", "下单止")}" ${days}></el-date-picker>`);

// add is what the dialog does with a valid order.
let add = () => {};

const Order = makeForm("order", { name: undefined, product: undefined, quantity: 1, delivery: undefined, express: undefined },
  { name: required("Please give the name", "请输入姓名") },
  item("name", "Name", "姓名", `<el-input v-model="model.name"></el-input>`) +
  item("product", "Product", "产品", select("product", "products", "filterable")) +
  item("quantity", "Quantity", "数量", `<el-input-number v-model="model.quantity" :min="1" :max="99"></el-input-number>`) +
  item("delivery", "Delivery", "交货日期", `<el-date-picker v-model="model.delivery" type="date" ${days}></el-date-picker>`) +
  item("express", "", "", `<el-checkbox v-model="model.express">${t("Express", "加急")}</el-checkbox>`), () => add());

const Profile = makeForm("profile", { name: undefined, language: undefined, birthday: undefined }, {},
  item("name", "Name", "姓名", `<el-input v-model="model.name"></el-input>`) +
  item("language", "Language", "语言", select("language", "languages")) +
  item("birthday", "Birthday", "生日", `<el-date-picker v-model="model.birthday" type="date" ${days}></el-date-picker>`) +
  save(), () => log("profile saved"));

// The table.

const firstNames = ["Ada", "Bo", "Cai", "Dag", "Eva", "Finn", "Gro"];
const initialRows = Array.from({ length: 35 }, (_, i) => ({
  key: i + 1, order: 1000 + i, customer: `${firstNames[i % 7]} ${String.fromCharCode(65 + i % 26)}.`, product: products[i % 12].label,
  quantity: (i * 7) % 23 + 1, status: i % 3 ? t("Open", "未结") : t("Paid", "已付"),
}));

const words = plus
  ? `confirm-button-text="${t("OK", "确定")}" cancel-button-text="${t("Cancel", "取消")}"`
  : `confirm-button-text="${t("OK", "确定")}" cancel-button-text="${t("Cancel", "取消")}" icon="el-icon-info"`;

const Orders = {
  data: () => ({
    rows: initialRows, page: 1, filters: [], sort: { prop: "", order: "" },
    statuses: options(t("Open", "未结"), t("Paid", "已付")).map((o) => ({ text: o.label, value: o.value })),
  }),
  computed: {
    found() {
      const { prop, order } = this.sort;
      const rows = this.rows.filter((r) => !this.filters.length || this.filters.includes(r.status));
      return order ? rows.sort((a, b) => (a[prop] - b[prop]) * (order === "ascending" ? 1 : -1)) : rows;
    },
    drawn() { return this.found.slice((this.page - 1) * 10, this.page * 10); },
  },
  methods: {
    act(name, row) { log(`${name} ${row.order}`); },
    remove(row) {
      this.act("deleted", row);
      this.rows = this.rows.filter((r) => r !== row);
    },
    changed() {
      const { prop, order } = this.sort; // "ascending" is told as "ascend"
      set("table", { page: this.page, filters: this.filters, sort: order ? `${prop} ${order.slice(0, -3)}` : "" });
    },
    sorted({ prop, order }) { this.sort = { prop, order }; this.changed(); },
    filtered(filters) { this.filters = filters.status; this.page = 1; this.changed(); },
    paged(page) { this.page = page; this.changed(); },
    chosen(rows) { set("chosen", rows.map((r) => r.key)); },
    add(order) {
      this.rows = [{ key: 100, order: 1100, customer: order.name, product: order.product, quantity: order.quantity, status: t("Open", "未结") }, ...this.rows];
    },
  },
  template: `<el-card style="margin-bottom: 24px">
    <template #header><span>${t("Orders", "订单")}</span> <el-button type="primary" @click="$emit('create')">${t("New order", "新建订单")}</el-button></template>
    <el-table :data="drawn" row-key="key" size="small" @sort-change="sorted" @filter-change="filtered" @selection-change="chosen">
      <el-table-column type="selection" width="50" fixed></el-table-column>
      <el-table-column label="${t("Order", "订单")}" prop="order" width="90" fixed sortable="custom"></el-table-column>
      <el-table-column label="${t("Customer", "客户")}" prop="customer" width="220"></el-table-column>
      <el-table-column label="${t("Product", "产品")}" prop="product" width="260"></el-table-column>
      <el-table-column label="${t("Quantity", "数量")}" prop="quantity" width="200" sortable="custom"></el-table-column>
      <el-table-column label="${t("Status", "状态")}" prop="status" column-key="status" width="260" sortable="custom" :filters="statuses" :filter-multiple="${!query.has("one")}"></el-table-column>
      <el-table-column label="${t("Notes", "备注")}" prop="notes" width="300"></el-table-column>
      <el-table-column label="${t("Actions", "操作")}" width="170" fixed="right"><template #default="{ row }"><span>
        <a @click="act('edit', row)">${t("Edit", "编辑")}</a>
        <el-popconfirm title="${t("Delete this order?", "删除此订单？")}" ${words} @confirm="remove(row)" @cancel="act('kept', row)">
          <template #reference><a>${t("Delete", "删除")}</a></template>
        </el-popconfirm>
        <el-dropdown trigger="click" @command="(key) => act(key, row)"><a>${t("More", "更多")}</a>
          <template #dropdown><el-dropdown-menu>
            <el-dropdown-item command="copy">${t("Copy", "复制")}</el-dropdown-item>
            <el-dropdown-item command="print">${t("Print", "打印")}</el-dropdown-item>
            <el-dropdown-item command="send" disabled>${t("Send", "发送")}</el-dropdown-item>
          </el-dropdown-menu></template>
        </el-dropdown></span></template>
      </el-table-column>
    </el-table>
    <el-pagination layout="prev, pager, next" :total="found.length" :page-size="10" :current-page="page" @current-change="paged"></el-pagination>
  </el-card>`,
};

// The whole.

const narrow = query.get("menu") === "narrow"; // its items go into a part of their own
const menuLayout = query.has("menu") ? `mode="horizontal" ${narrow ? `style="width: 220px"` : ""}` : `style="width: 240px"`;

const card = (en, cn, body) => `<el-card style="margin-bottom: 24px"><template #header>${t(en, cn)}</template>${body}</el-card>`;
const button = (en, cn, click, more = "") => `<el-button @click="${click}" ${more}>${t(en, cn)}</el-button> `;
const pane = (key, en, cn, more = "") => `<el-tab-pane name="${key}" label="${t(en, cn)}" ${more}><p>${t(`This is ${en}`, `这是${cn}`)}</p></el-tab-pane>`;
const entry = (key, en, cn, more = "") => `<el-menu-item key="${key}" index="${key}" ${more}>${t(en, cn)}</el-menu-item>`;
const entries = (key, en, cn, body) => `<${submenu} key="${key}" index="${key}"><template #title>${t(en, cn)}</template>${body}</${submenu}>`;
const dropdown = (en, cn, trigger) => `<el-dropdown trigger="${trigger}" @command="(key) => log('${en} ' + key)"><el-button>${t(en, cn)}</el-button>
  <template #dropdown><el-dropdown-menu><el-dropdown-item command="pdf">PDF</el-dropdown-item></el-dropdown-menu></template></el-dropdown> `;
const publish = `<el-dropdown split-button @click="log('publish now')" @command="(key) => log('publish ' + key)">${t("Publish", "发布")}
  <template #dropdown><el-dropdown-menu><el-dropdown-item command="tomorrow">${t("Tomorrow", "明天")}</el-dropdown-item><el-dropdown-item command="never">${t("Never", "永不")}</el-dropdown-item></el-dropdown-menu></template></el-dropdown> `;
const footer = (cancel, ok) => `<template #footer><span>${button("Cancel", "取消", cancel)}${button("OK", "确定", ok, `type="primary"`)}</span></template>`;

const App = {
  components: { Customer, Contact, Bar, Order, Profile, Orders },
  data: () => ({ order: false, stock: false, profile: false, step: 1, tab: "overview", binder: "b1", places, expanded: [] }),
  watch: { tab(key) { set("tab", key); }, binder(key) { set("binder", key); } },
  mounted() {
    add = () => {
      this.$refs.orders.add(state.order);
      this.order = false;
    };
  },
  methods: {
    log,
    cancelOrder() { log("order cancelled"); this.order = false; },
    endStock(line) { log(line); this.stock = false; },
    closeProfile() { log("drawer closed"); this.profile = false; },
    pick(node) { set("tree", [node.id]); },
    unfold(node) { this.expanded.push(node.id); set("expanded", [...this.expanded]); },
    fold(node) { this.expanded = this.expanded.filter((id) => id !== node.id); set("expanded", [...this.expanded]); },
    notify() { notified({ title: t("Backup", "备份"), message: t("The backup is done", "备份完成"), duration: 0 }); },
    reset() { // a question whose answer leads to another dialog
      const ask = plus ? ElementPlus.ElMessageBox : ELEMENT.MessageBox;
      const ok = { confirmButtonText: t("OK", "确定"), cancelButtonText: t("Cancel", "取消") };
      ask.confirm(t("This cannot be undone", "无法撤销"), t("Reset all?", "全部重置？"), ok).then(() => {
        log("reset");
        ask.alert(t("All is new", "一切如新"), t("Done", "完成"), ok).then(() => log("seen"));
      }, () => log("reset cancelled"));
    },
    greet() { message.info(t("Good day", "你好")); },
  },
  template: `<main>
    <h1>${plus ? "Element Plus" : "Element UI"} ${library.version}</h1>
    ${card("Menu", "菜单", `<el-menu ${menuLayout} @select="(key) => log('menu ' + key)">
      ${entry("home", "Home", "首页")}
      ${entries("settings", "Settings", "设置",
        entries("users", "Users", "用户", entry("roles", "Roles", "角色") + entry("groups", "Groups", "用户组")) + entry("mail", "Mail server", "邮件服务器"))}
      ${entries("reports", "Reports", "报表", entry("report", "Roles", "角色") + entries("old", "Archive", "归档", entry("oldReport", "Roles", "角色")))}
      ${entry("off", "Off", "停用", "disabled")}${narrow ? entry("about", "About", "关于") : ""}
    </el-menu>`)}
    ${card("Customer", "客户资料", "<Customer></Customer>")}
    ${card("Contact", "联系人", "<Contact></Contact>")}
    ${query.has("bar") ? card("Search", "查找", "<Bar></Bar>") : ""}
    <Orders ref="orders" @create="order = true"></Orders>
    ${card("Views", "视图", `<el-tabs v-model="tab">
      ${pane("overview", "Overview", "概览")}${pane("history", "History", "历史")}${pane("closed", "Closed", "已关闭", "disabled")}${pane("rights", "Rights", "权限")}
    </el-tabs>`)}
    ${card("Binders", "文件夹", `<div style="width: 360px"><el-tabs v-model="binder">
      ${Array.from({ length: 14 }, (_, i) => pane(`b${i + 1}`, `Binder ${i + 1}`, `文件夹 ${i + 1}`)).join("")}
    </el-tabs></div>`)}
    ${card("Places", "地点", `<el-tree :data="places" node-key="id" ${query.has("checkable") ? "show-checkbox" : ""} @node-click="pick" @node-expand="unfold" @node-collapse="fold"></el-tree>`)}
    ${card("Progress", "进度", `<el-steps :active="step"><el-step title="${t("Cart", "购物车")}"></el-step><el-step title="${t("Address", "地址")}"></el-step><el-step title="${t("Payment", "付款")}"></el-step></el-steps><br>
      ${button("Next", "下一步", "step++")}${button("Notify", "通知", "notify")}${button("Greet", "问候", "greet")}${button("Reset", "重置", "reset")}
      ${button("Off", "停用", "log('off')", "disabled")}${dropdown("Import", "导入", "click")}${dropdown("Export", "导出", "hover")}${publish}${button("Edit profile", "编辑资料", "profile = true")}`)}
    <el-dialog title="${t("New order", "新建订单")}" ${shown}="order" append-to-body :before-close="cancelOrder">
      <Order ref="orderForm"></Order>${button("Check stock", "查看库存", "stock = true")}${button("Stock", "库存", "stock = true")}
      ${footer("cancelOrder", "$refs.orderForm.submit()")}
    </el-dialog>
    <el-dialog title="${t("Stock", "库存")}" ${shown}="stock" append-to-body :before-close="() => endStock('stock cancelled')">
      <p>${t("Enough of everything", "库存充足")}</p>
      ${footer("endStock('stock cancelled')", "endStock('stock confirmed')")}
    </el-dialog>
    <el-drawer title="${t("Profile", "个人资料")}" ${shown}="profile" append-to-body :before-close="closeProfile"><Profile></Profile></el-drawer>
  </main>`,
};

// An application with another prefix has a style sheet made for it.
async function restyle(prefix) {
  const sheet = document.querySelector("link[rel=stylesheet]");
  const style = document.createElement("style");
  style.textContent = (await (await fetch(sheet.href)).text()).replace(/([.-])el-/g, `$1${prefix}-`);
  sheet.replaceWith(style);
}

show();
if (query.has("prefix")) restyle(query.get("prefix")).then(() => start(App));
else start(App);
