// The application for Ant Design 3 to 6. What the versions call differently is
// in the adapters at the top; the application below is the same for all.

const h = React.createElement;
const { useState } = React;
const major = Number(antd.version.split(".")[0]);
const query = new URLSearchParams(location.search);
const zh = query.get("locale") === "zh";
const prefix = query.get("prefix") || "ant";
const late = Number(query.get("late") || 300);
const judge = Number(query.get("judge") || 0);
const t = (en, cn) => (zh ? cn : en);
const day = window.dayjs || window.moment;
day.locale(zh ? "zh-cn" : "en");

// state is what a test reads; log is what was pressed and confirmed.
const state = { log: [] };

function show() {
  document.getElementById("state").textContent = JSON.stringify(plain(state), null, 1);
}

function set(key, value) {
  state[key] = value;
  show();
}

function log(line) {
  state.log.push(line);
  show();
}

// plain makes JSON of values; what a field keeps of a moment is a day, unless said here.
const kept = { at: "HH:mm:ss", alarm: "HH:mm", hours: "HH:mm:ss", recall: "YYYY-MM-DD HH:mm", seen: "YYYY-MM-DD HH:mm:ss", month: "YYYY-MM", start: "YYYY-MM", week: "YYYY-w", quarter: "YYYY-[Q]Q", year: "YYYY" };
function plain(v, key) {
  if (Array.isArray(v)) return v.map((x) => plain(x, key));
  if (!v || typeof v !== "object") return v;
  if (v.format) return v.format(kept[key] || "YYYY-MM-DD");
  return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, plain(x, k)]));
}

// Adapters.

const shown = (on) => (major < 5 ? { visible: on } : { open: on });

// makeForm returns a component with a form of its own. body(item, form) lists the
// items; submit gets the values that are valid.
function makeForm(name, initial, body, submit, layout) {
  const changed = (values) => set(name, { ...initial, ...state[name], ...values });
  if (!state[name]) state[name] = initial;
  if (major === 3) {
    return antd.Form.create({ name, onValuesChange: (_, values) => changed(values) })((props) => {
      const item = (field, label, control, { rules, valuePropName, ...more } = {}) =>
        h(antd.Form.Item, { label, key: field, ...more },
          props.form.getFieldDecorator(field, { rules, valuePropName: valuePropName || "value", initialValue: initial[field] })(control));
      const done = (event) => {
        event && event.preventDefault();
        props.form.validateFields((errors, values) => errors ? log(`${name} invalid`) : submit(values));
      };
      const form = { submit: done, set: (values) => { props.form.setFieldsValue(values); changed(values); } };
      return h(antd.Form, { layout, onSubmit: done }, body(item, form));
    });
  }
  return () => {
    const [form] = antd.Form.useForm();
    const item = (field, label, control, more = {}) => h(antd.Form.Item, { name: field, label, key: field, ...more }, control);
    const api = { submit: () => form.submit(), set: (values) => { form.setFieldsValue(values); changed(values); } };
    return h(antd.Form, {
      form, name, layout, initialValues: initial, onFinish: submit, onFinishFailed: () => log(`${name} invalid`),
      onValuesChange: changed,
    }, body(item, api));
  };
}

const select = (options, props) => major === 3
  ? h(antd.Select, props, options.map((o) => h(antd.Select.Option, { key: o.value, value: o.value, disabled: o.disabled }, o.label)))
  : h(antd.Select, { options, ...props });

function menu(items, onClick, props = {}) {
  const click = ({ key }) => onClick(key);
  if (major > 3) return h(antd.Menu, { items, onClick: click, ...props });
  const node = (i) => i.children
    ? h(antd.Menu.SubMenu, { key: i.key, title: i.label }, i.children.map(node))
    : h(antd.Menu.Item, { key: i.key, disabled: i.disabled }, i.label);
  return h(antd.Menu, { onClick: click, ...props }, items.map(node));
}

// Version 3 has components of their own for months and weeks, and none for quarters and years.
function picker(kind, props) {
  if (major > 3) return h(antd.DatePicker, { picker: kind, ...props });
  return h(kind === "month" ? antd.DatePicker.MonthPicker : antd.DatePicker.WeekPicker, props);
}

const dropdown = (items, onClick, child) => major === 3
  ? h(antd.Dropdown, { overlay: menu(items, onClick), trigger: ["click"] }, child)
  : h(antd.Dropdown, { menu: { items, onClick: ({ key }) => onClick(key) }, trigger: ["click"] }, child);

// split is a button that does something itself, with another beside it for the menu.
const split = (text, items, onClick, onItem) => major === 3
  ? h(antd.Dropdown.Button, { overlay: menu(items, onItem), trigger: ["click"], onClick }, text)
  : h(antd.Dropdown.Button, { menu: { items, onClick: ({ key }) => onItem(key) }, trigger: ["click"], onClick }, text);

const tabs = (items, props) => major === 3
  ? h(antd.Tabs, props, items.map((i) => h(antd.Tabs.TabPane, { key: i.key, tab: i.label, disabled: i.disabled }, i.children)))
  : h(antd.Tabs, { items, ...props });

const steps = (titles, current) => major === 3
  ? h(antd.Steps, { current }, titles.map((title) => h(antd.Steps.Step, { key: title, title })))
  : h(antd.Steps, { current, items: titles.map((title) => ({ title })) });

const noticed = (title, description) => antd.notification.open({
  [major >= 6 ? "title" : "message"]: title, description, duration: 0,
});

// A question whose answer leads to another dialog.
const reset = () => antd.Modal.confirm({
  title: t("Reset all?", "全部重置？"), ...words(), onCancel: () => log("reset cancelled"),
  onOk: () => {
    log("reset");
    antd.Modal.success({ title: t("Done", "完成"), okText: t("OK", "确定"), onOk: () => log("seen") });
  },
});

const card = (title, extra, ...children) => h(antd.Card, { title, extra, style: { marginBottom: 24 } }, ...children);
const button = (text, onClick, props = {}) => h(antd.Button, { onClick, ...props }, text);

// Data.

const wide = { style: { width: "100%" } };
const options = (...labels) => labels.map((label) => ({ value: label, label }));
const segments = () => options(t("Private", "个人"), t("Company", "公司"), t("School", "学校"));
const tags = () => options(t("New", "新客户"), t("Loyal", "老客户"), t("Late payer", "欠款"), t("VIP", "贵宾"));
const products = options("Anvil", "Bellows", "Compass", "Drill press", "Easel", "Filing cabinet", "Globe", "Hand mill",
  "Inkwell", "Kaleidoscope", "Lantern", "Magnifier");
const numbers = Array.from({ length: 1000 }, (_, i) => `Item ${i + 1}`);
const regions = () => [
  { value: "eu", label: t("Europe", "欧洲"), children: [
    { value: "no", label: t("Norway", "挪威"), children: [{ value: "osl", label: t("Oslo", "奥斯陆") }, { value: "brg", label: t("Bergen", "卑尔根") }] },
    { value: "se", label: t("Sweden", "瑞典"), children: [{ value: "sto", label: t("Stockholm", "斯德哥尔摩") }] }] },
  { value: "as", label: t("Asia", "亚洲"), children: [
    { value: "cn", label: t("China", "中国"), children: [{ value: "bj", label: t("Beijing", "北京") }, { value: "sh", label: t("Shanghai", "上海") }] }] },
];
const towns = () => ({ [t("North", "北区")]: [t("Oslo", "奥斯陆"), t("Bergen", "卑尔根")], [t("South", "南区")]: [t("Rome", "罗马")] });
const places = () => [
  { title: t("Head office", "总部"), key: "head", value: "head", children: [
    { title: t("Sales", "销售部"), key: "sales", value: "sales", children: [{ title: t("North", "北区"), key: "north", value: "north" }, { title: t("South", "南区"), key: "south", value: "south" }] },
    { title: t("Support", "支持部"), key: "support", value: "support" }] },
  { title: t("Warehouse", "仓库"), key: "store", value: "store", children: [{ title: t("Hall A", "A 厅"), key: "a", value: "a" }, { title: t("Hall B", "B 厅"), key: "b", value: "b" }] },
];

// The form.

// Remote is a list whose options come after it was opened.
class Remote extends React.Component {
  constructor(props) {
    super(props);
    this.state = { options: [] };
  }
  render() {
    const load = (open) => {
      if (open && !this.state.options.length) setTimeout(() => this.setState({ options: options("Alpha", "Beta", "Gamma") }), late);
    };
    const { onOpen, ...props } = this.props;
    return select(this.state.options, { ...props, [major < 5 ? "onDropdownVisibleChange" : "onOpenChange"]: load, ...wide });
  }
}

// Search is a list that shows what is typed, later.
const people = ["Anna", "Annika", "Bert", "Berta"];
class Search extends React.Component {
  constructor(props) {
    super(props);
    this.state = { options: [] };
  }
  render() {
    const look = (text) => {
      clearTimeout(this.timer);
      this.setState({ options: [] });
      if (text) this.timer = setTimeout(() => this.setState({ options: options(...people.filter((name) => name.includes(text))) }), late);
    };
    return select(this.state.options, { ...this.props, mode: "multiple", filterOption: false, notFoundContent: null, onSearch: look, ...wide });
  }
}

const required = (en, cn) => ({ rules: [{ required: true, message: t(en, cn) }] });
// judged is required, but for the time that it takes.
function judged(en, cn) {
  if (!judge) return required(en, cn);
  const answer = (value) => new Promise((good, bad) => setTimeout(() => (value ? good() : bad(new Error(t(en, cn)))), judge));
  const validator = (rule, value, callback) => (major > 3 ? answer(value) : void answer(value).then(() => callback(), callback));
  return { rules: [{ validator }] };
}
const checked = { valuePropName: "checked" };
const groups = (values) => values.map((v) => ({ value: v, label: v }));

const customerBody = (item, form) => [
  item("name", t("Name", "姓名"), h(antd.Input, { maxLength: 40 }), required("Please give the name", "请输入姓名")),
  item("age", t("Age", "年龄"), h(antd.InputNumber, { min: 0, max: 150, ...wide })),
  item("notes", t("Notes", "备注"), h(antd.Input.TextArea, { rows: 2 })),
  item("password", t("Password", "密码"), h(antd.Input.Password)),
  item("segment", t("Segment", "类别"), select(segments(), { placeholder: t("Choose", "请选择"), ...wide }), judged("Please choose the segment", "请选择类别")),
  item("fixed", t("Terms", "条款"), select(segments(), { disabled: true, ...wide })),
  item("tags", t("Tags", "标签"), select(tags(), { mode: "multiple", ...wide })),
  item("topics", t("Topics", "主题"), select(options(...numbers.slice(0, 40)), { mode: "multiple", maxTagCount: 1, ...wide })),
  item("product", t("Product", "产品"), select(products, { showSearch: true, optionFilterProp: major === 3 ? "children" : "label", ...wide })),
  item("item", t("Item", "条目"), select(options(...numbers), { ...wide })),
  item("source", t("Source", "来源"), h(Remote)),
  item("helpers", t("Helpers", "帮手"), h(Search)),
  item("region", t("Region", "地区"), h(antd.Cascader, { options: regions(), ...wide })),
  major > 3 && item("areas", t("Areas", "片区"), h(antd.Cascader, { options: regions(), multiple: true, ...wide })),
  item("team", t("Team", "团队"), h(antd.TreeSelect, { treeData: places(), ...wide })),
  item("since", t("Customer since", "开户日期"), h(antd.DatePicker, wide)),
  item("period", t("Period", "期间"), h(antd.DatePicker.RangePicker, wide)),
  item("stay", t("Stay", "入住"), h(antd.DatePicker.RangePicker, { format: "DD/MM/YYYY", ...wide })),
  item("recall", t("Call back", "回电"), h(antd.DatePicker, { showTime: { format: "HH:mm" }, format: "DD/MM/YYYY HH:mm", ...wide })),
  item("seen", t("Last seen", "最近到访"), h(antd.DatePicker, { showTime: true, ...wide })),
  item("month", t("Invoice month", "账单月份"), picker("month", { format: "MM/YYYY", ...wide })),
  item("start", t("Start month", "起始月份"), picker("month", wide)),
  item("week", t("Week", "周"), picker("week", wide)),
  ...(major > 3 ? [
    item("quarter", t("Quarter", "季度"), picker("quarter", wide)),
    item("year", t("Budget year", "预算年度"), picker("year", wide)),
  ] : []),
  item("at", t("Call at", "致电时间"), h(antd.TimePicker, wide)),
  item("alarm", t("Alarm", "闹钟"), h(antd.TimePicker, { use12Hours: true, format: "h:mm a", ...wide })),
  ...(major > 3 ? [item("hours", t("Opening hours", "营业时间"), h(antd.TimePicker.RangePicker, wide))] : []),
  item("discount", t("Discount", "折扣"), h(antd.Slider)),
  item("grade", t("Grade", "评级"), h(antd.Rate)),
  item("newsletter", null, h(antd.Checkbox, null, t("Newsletter", "订阅")), checked),
  item("channels", t("Channels", "渠道"), h(antd.Checkbox.Group, { options: groups([t("Mail", "邮件"), t("Phone", "电话"), t("Post", "信件")]) })),
  item("gender", t("Gender", "性别"), h(antd.Radio.Group, { options: groups([t("Female", "女"), t("Male", "男"), t("Other", "其他")]) })),
  item("active", t("Active", "启用"), h(antd.Switch), checked),
  h(antd.Form.Item, { label: t("Contract", "合同"), key: "contract" },
    h(antd.Upload, { multiple: true, beforeUpload: () => false, onChange: ({ fileList }) => set("files", fileList.map((f) => f.name)) },
      h(antd.Button, null, t("Choose files", "选择文件")))),
  h(antd.Upload.Dragger, { key: "scans", beforeUpload: () => false, onChange: ({ fileList }) => set("scans", fileList.map((f) => f.name)) },
    h("p", null, t("Drop scans here", "把扫描件拖到这里"))),
  h(antd.Button, { key: "save", type: "primary", htmlType: "submit" }, t("Save", "保存")),
];

// Towns is the list of a province's towns, which are known when it is chosen.
let provinceChosen;
class Towns extends React.Component {
  render() {
    provinceChosen = () => this.forceUpdate();
    const known = towns()[(state.contact || {}).province];
    return select(options(...(known || [])), { ...this.props, disabled: !known, ...wide });
  }
}

const contactBody = (item, form) => [
  item("name", t("Name", "姓名"), h(antd.Input)),
  item("mail", t("E-mail", "邮箱"), h(antd.Input), { rules: [{ type: "email", message: t("That is no e-mail address", "邮箱格式不正确") }] }),
  item("province", t("Province", "省份"), select(options(...Object.keys(towns())), { onChange: (province) => { form.set({ province, city: undefined }); provinceChosen(); }, ...wide })),
  item("city", t("City", "城市"), h(Towns)),
  h(antd.Button, { key: "save", htmlType: "submit" }, t("Save", "保存")),
];

function saved(name) {
  return () => {
    log(`${name} saved`);
    antd.message.success(t("Customer saved", "客户已保存"));
  };
}

const Customer = makeForm("customer", { active: true, tags: [], channels: [] }, customerBody, saved("customer"), "vertical");
const Contact = makeForm("contact", {}, contactBody, saved("contact"), "horizontal");

// Bar has fields without labels, which are named by what they show while they are empty.
function Bar() {
  const [values, setValues] = useState({});
  const field = (key, placeholder) => ({ value: values[key], placeholder, style: { width: 180 }, onChange: (value) => {
    setValues({ ...values, [key]: value });
    set("bar", { ...values, [key]: value });
  } });
  return h("div", null,
    select(segments(), field("segment", t("Any segment", "任意类别"))), select(tags(), { mode: "multiple", ...field("tags", t("Any tag", "任意标签")) }),
    h(antd.Cascader, { options: regions(), ...field("region", t("Any region", "任意地区")) }),
    h(antd.TreeSelect, { treeData: places(), ...field("team", t("Any team", "任意团队")) }),
    h(antd.DatePicker.RangePicker, { ...field("ordered", [t("Ordered from", "下单起"), t("Ordered until", "下单止")]), style: { width: 260 } }));
}

// Dialogs and the drawer.

let orderValues = {};

const Order = makeForm("order", { quantity: 1 }, (item, form) => {
  orderValues.submit = form.submit;
  return [
    item("name", t("Name", "姓名"), h(antd.Input), required("Please give the name", "请输入姓名")),
    item("product", t("Product", "产品"), select(products, { showSearch: true, ...wide })),
    item("quantity", t("Quantity", "数量"), h(antd.InputNumber, { min: 1, max: 99 })),
    item("delivery", t("Delivery", "交货日期"), h(antd.DatePicker, wide)),
    item("express", null, h(antd.Checkbox, null, t("Express", "加急")), checked),
  ];
}, () => orderValues.done(), "vertical");

const Profile = makeForm("profile", {}, (item) => [
  item("name", t("Name", "姓名"), h(antd.Input)),
  item("language", t("Language", "语言"), select(options("English", "Norsk", "中文"), wide)),
  item("birthday", t("Birthday", "生日"), h(antd.DatePicker, wide)),
  h(antd.Button, { key: "save", type: "primary", htmlType: "submit" }, t("Save", "保存")),
], () => log("profile saved"), "vertical");

const words = () => ({ okText: t("OK", "确定"), cancelText: t("Cancel", "取消") });

function Dialogs({ open, setOpen, add }) {
  const [second, setSecond] = useState(false);
  orderValues.done = () => { add(); setOpen(""); };
  return h("div", null,
    h(antd.Modal, { title: t("New order", "新建订单"), ...shown(open === "order"), onOk: () => orderValues.submit(), onCancel: () => { log("order cancelled"); setOpen(""); }, ...words() },
      h(Order), button(t("Check stock", "查看库存"), () => setSecond(true))),
    h(antd.Modal, { title: t("Stock", "库存"), ...shown(second), onOk: () => { log("stock confirmed"); setSecond(false); }, onCancel: () => { log("stock cancelled"); setSecond(false); }, ...words() },
      h("p", null, t("Enough of everything", "库存充足"))),
    h(antd.Drawer, { title: t("Profile", "个人资料"), ...shown(open === "profile"), onClose: () => { log("drawer closed"); setOpen(""); } }, h(Profile)));
}

// The table.

const firstNames = ["Ada", "Bo", "Cai", "Dag", "Eva", "Finn", "Gro"];
const initialRows = Array.from({ length: 35 }, (_, i) => ({
  key: i + 1, order: 1000 + i, customer: `${firstNames[i % 7]} ${String.fromCharCode(65 + i % 26)}.`, product: products[i % 12].label,
  quantity: (i * 7) % 23 + 1, status: i % 3 ? t("Open", "未结") : t("Paid", "已付"),
}));

function Orders({ rows, setRows, setOpen }) {
  const [chosen, setChosen] = useState([]);
  const act = (name, row) => log(`${name} ${row.order}`);
  const ask = (row) => h(antd.Popconfirm, {
    title: t("Delete this order?", "删除此订单？"), ...words(),
    onConfirm: () => { act("deleted", row); setRows(rows.filter((r) => r !== row)); }, onCancel: () => act("kept", row),
  }, h("a", null, t("Delete", "删除")));
  const more = (row) => dropdown(
    [{ key: "copy", label: t("Copy", "复制") }, { key: "print", label: t("Print", "打印") }, { key: "send", label: t("Send", "发送"), disabled: true }],
    (key) => act(key, row), h("a", null, t("More", "更多")));
  const columns = [
    { title: t("Order", "订单"), dataIndex: "order", width: 90, fixed: "left", sorter: (a, b) => a.order - b.order },
    { title: t("Customer", "客户"), dataIndex: "customer", width: 220 },
    { title: t("Product", "产品"), dataIndex: "product", width: 260 },
    { title: t("Quantity", "数量"), dataIndex: "quantity", width: 200, sorter: (a, b) => a.quantity - b.quantity },
    { title: t("Status", "状态"), dataIndex: "status", width: 260, filterMultiple: !query.has("one"), onFilter: (value, row) => row.status === value,
      filters: [{ text: t("Open", "未结"), value: t("Open", "未结") }, { text: t("Paid", "已付"), value: t("Paid", "已付") }] },
    { title: t("Notes", "备注"), dataIndex: "notes", width: 300 },
    { title: t("Actions", "操作"), key: "actions", width: 170, fixed: "right",
      render: (_, row) => h("span", null, h("a", { onClick: () => act("edit", row) }, t("Edit", "编辑")), " ", ask(row), " ", more(row)) },
  ];
  return card(t("Orders", "订单"), button(t("New order", "新建订单"), () => setOpen("order"), { type: "primary" }),
    h(antd.Table, {
      columns, dataSource: rows, size: "small", scroll: { x: 1500 }, pagination: { pageSize: 10, simple: query.has("one") },
      rowSelection: { selectedRowKeys: chosen, onChange: (keys) => { setChosen(keys); set("chosen", keys); } },
      onChange: (page, filters, sorter) => set("table", { page: page.current, filters: Object.values(filters).flat().filter(Boolean), sort: sorter.order ? `${sorter.field} ${sorter.order}` : "" }),
    }));
}

// The whole.

function App() {
  const [open, setOpen] = useState("");
  const [rows, setRows] = useState(initialRows);
  const [step, setStep] = useState(1);
  const add = () => setRows([{ key: 100, order: 1100, customer: state.order.name, product: state.order.product, quantity: state.order.quantity, status: t("Open", "未结") }, ...rows]);
  const panel = (key, en, cn, more) => ({ key, label: t(en, cn), children: h("p", null, t(`This is ${en}`, `这是${cn}`)), ...more });
  const narrow = query.get("menu") === "narrow"; // so that not all items have room
  return h("main", null,
    h("h1", null, `Ant Design ${antd.version}`),
    card(t("Menu", "菜单"), null,
      menu([
        { key: "home", label: t("Home", "首页") },
        { key: "settings", label: t("Settings", "设置"), children: [
          { key: "users", label: t("Users", "用户"), children: [{ key: "roles", label: t("Roles", "角色") }, { key: "groups", label: t("Groups", "用户组") }] },
          { key: "mail", label: t("Mail server", "邮件服务器") }] },
        { key: "off", label: t("Off", "停用"), disabled: true },
        ...(narrow ? [{ key: "about", label: t("About", "关于") }] : []),
      ], (key) => log(`menu ${key}`), narrow ? { mode: "horizontal", style: { width: 200 } } : { mode: query.get("menu") || "inline", style: { width: 240 } })),
    card(t("Customer", "客户资料"), null, h(Customer)),
    card(t("Contact", "联系人"), null, h(Contact)),
    query.has("bar") && card(t("Search", "查找"), null, h(Bar)),
    h(Orders, { rows, setRows, setOpen }),
    card(t("Views", "视图"), null,
      tabs([panel("overview", "Overview", "概览"), panel("history", "History", "历史"), panel("closed", "Closed", "已关闭", { disabled: true }), panel("rights", "Rights", "权限")],
        { onChange: (key) => set("tab", key) })),
    card(t("Binders", "文件夹"), null,
      h("div", { style: { width: 360 } },
        tabs(Array.from({ length: 14 }, (_, i) => panel(`b${i + 1}`, `Binder ${i + 1}`, `文件夹 ${i + 1}`)), { onChange: (key) => set("binder", key) }))),
    card(t("Places", "地点"), null,
      h(antd.Tree, { treeData: places(), checkable: query.has("checkable"), onSelect: (keys) => set("tree", keys), onExpand: (keys) => set("expanded", keys) })),
    card(t("Progress", "进度"), null,
      steps([t("Cart", "购物车"), t("Address", "地址"), t("Payment", "付款")], step), h("br"),
      button(t("Next", "下一步"), () => setStep(step + 1)), " ",
      button(t("Notify", "通知"), () => noticed(t("Backup", "备份"), t("The backup is done", "备份完成"))), " ",
      button(t("Reset", "重置"), reset), " ",
      split(t("Publish", "发布"), [{ key: "tomorrow", label: t("Tomorrow", "明天") }, { key: "never", label: t("Never", "永不") }],
        () => log("publish now"), (key) => log(`publish ${key}`)), " ",
      button(t("Greet", "问候"), () => antd.message.info(t("Good day", "你好"))), " ",
      button(t("Off", "停用"), () => log("off"), { disabled: true }), " ",
      button(t("Edit profile", "编辑资料"), () => setOpen("profile"))),
    h(Dialogs, { open, setOpen, add }));
}

show();
const locale = zh ? antd.locales.zh_CN : antd.locales.en_US || antd.locales.default;
const provider = h(antd.ConfigProvider, { locale: locale && (locale.default || locale), prefixCls: prefix }, h(App));
const root = document.getElementById("app");
if (ReactDOM.createRoot) ReactDOM.createRoot(root).render(provider);
else ReactDOM.render(provider, root);
