// A text field whose mapped values are pills, such as "1 · Phone" for {{1.phone}}. Everything else about it is as with
// an `input`: its name and value, its default value, a reset of its form, and a change event when a person leaves it.
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { EditorSelection, EditorState } from '@codemirror/state';
import { Decoration, EditorView, keymap, MatchDecorator, placeholder, ViewPlugin, WidgetType } from '@codemirror/view';

const reference = /\{\{(?:\d{1,4}|removed)\.[^{}]{1,200}\}\}/g;

/** What a pill says: the step, the label and an example, or the path if a step has no such data. */
const describe = (text) => {
  const known = document.querySelector(`#mappings [data-map="${CSS.escape(text)}"]`)?.dataset;
  const path = text.slice(2, -2);
  const dot = path.indexOf('.');
  return {
    number: path.slice(0, dot),
    label: known?.label ?? path.slice(dot + 1),
    example: known?.example ?? '',
    isKnown: known !== undefined,
  };
};

const partOf = (name, text) => {
  const part = document.createElement('span');
  part.className = name;
  part.dir = 'auto';
  part.textContent = text;
  return part;
};

/** The color of the app of a step, which its card has. */
const colorOf = (number) => {
  const tile = document.querySelector(`#step-${number - 1} .tile`);
  return (tile && getComputedStyle(tile).getPropertyValue('--app')) || 'var(--brand)';
};

class Pill extends WidgetType {
  constructor(text) {
    super();
    Object.assign(this, describe(text), { text });
  }

  eq({ text, label, example, isKnown }) {
    return this.text === text && this.label === label && this.example === example && this.isKnown === isKnown;
  }

  toDOM() {
    const pill = document.createElement('span');
    pill.className = this.isKnown ? 'pill' : 'pill unknown';
    pill.style.setProperty('--app', colorOf(this.number));
    pill.append(partOf('number', this.number), ' ', partOf('label', this.label));
    if (this.example) pill.append(' ', partOf('example', this.example));
    return pill;
  }
}

const finder = new MatchDecorator({
  regexp: reference,
  decoration: ([text]) => Decoration.replace({ widget: new Pill(text) }),
});

const pills = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.found = finder.createDeco(view);
    }

    // The labels may have changed without the text.
    update({ view }) {
      this.found = finder.createDeco(view);
    }
  },
  {
    decorations: ({ found }) => found,
    // The caret and every deletion take a pill as one.
    provide: (plugin) => EditorView.atomicRanges.of((view) => view.plugin(plugin)?.found ?? Decoration.none),
  },
);

const look = EditorView.theme({
  '&': {
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    background: 'var(--raised)',
    color: 'var(--ink)',
  },
  '&.cm-focused': { outline: '0', borderColor: 'var(--brand)', boxShadow: 'var(--ring)' },
  '.cm-scroller': { maxHeight: '16em', overflow: 'auto', fontFamily: 'inherit', lineHeight: '1.6' },
  '.cm-content': { minWidth: '0', padding: '6px 0', caretColor: 'var(--ink)' },
  '.cm-content[aria-multiline="true"]': { minHeight: '4.5em' },
  '.cm-content[aria-invalid]': { boxShadow: 'inset 0 0 0 1px var(--bad)', borderRadius: 'var(--radius)' },
  '.cm-line': { padding: '0 40px 0 10px' },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.pill': {
    display: 'inline-flex',
    gap: '6px',
    alignItems: 'baseline',
    maxWidth: 'calc(100% - 16px)',
    margin: '0 2px',
    padding: '0 7px 0 5px',
    borderRadius: '6px',
    color: 'var(--ink)',
    background: 'var(--brand-tint)',
    unicodeBidi: 'isolate',
  },
  '.pill .number': {
    padding: '0 5px',
    borderRadius: '4px',
    color: 'var(--on-brand)',
    background: 'light-dark(color-mix(in srgb, var(--app) 75%, #000), color-mix(in srgb, var(--app) 70%, #fff))',
    fontSize: 'var(--small)',
    fontWeight: 'var(--bold)',
    lineHeight: '1.4',
  },
  '.pill .label': { minWidth: '3em', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '.pill .example': {
    flexShrink: '20',
    minWidth: '0',
    maxWidth: '14em',
    overflow: 'hidden',
    color: 'var(--soft)',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  '.pill.unknown': { background: 'none', outline: '1px dashed var(--bad)', outlineOffset: '-1px' },
});

class MappedText extends HTMLElement {
  static formAssociated = true;
  static observedAttributes = ['value', 'label', 'invalid'];
  #internals = this.attachInternals();
  #view;
  /** Whether a person changed the text. A new default no longer shows then. */
  #isChanged = false;
  #saved = '';

  connectedCallback() {
    if (this.#view) return;
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    this.#view = new EditorView({ state: this.#stateOf(this.defaultValue), root, parent: root });
    // The label of the field, and a call of focus(), lead to the first part that can have the focus.
    this.#view.scrollDOM.removeAttribute('tabindex');
    this.#internals.setFormValue(this.value);
    this.addEventListener('focusin', () => this.#begin());
    this.addEventListener('focusout', () => this.#commit());
  }

  attributeChangedCallback(name) {
    if (!this.#view) return;
    if (name === 'value' && !this.#isChanged) this.#show(this.defaultValue);
    // The attributes of its content may differ now.
    this.#view.dispatch({});
  }

  formResetCallback() {
    this.#isChanged = false;
    if (!this.#view) return;
    // What another step had in this field isn't brought back by Ctrl+Z.
    this.#view.setState(this.#stateOf(this.defaultValue));
    this.#internals.setFormValue(this.value);
  }

  get name() {
    return this.getAttribute('name') ?? '';
  }

  get form() {
    return this.#internals.form;
  }

  get isMultiline() {
    return this.hasAttribute('multiline');
  }

  get defaultValue() {
    return this.#clean(this.getAttribute('value') ?? '');
  }

  get value() {
    return this.#view?.state.doc.toString() ?? this.defaultValue;
  }

  set value(text) {
    this.#isChanged = true;
    this.#show(this.#clean(text));
    this.#saved = this.value;
  }

  /** What stands before the caret, since the mapped value or the line before. */
  get typed() {
    const { doc, selection } = this.#view.state;
    return /[^{}\n]*$/.exec(doc.sliceString(0, selection.main.head))[0];
  }

  /** Puts a mapped value in place of so many characters before the caret, or of all of it in a field that has only one value. */
  insert(text, length = 0) {
    const { state } = this.#view;
    const { main } = state.selection;
    const { from, to } = this.hasAttribute('single')
      ? { from: 0, to: state.doc.length }
      : { from: main.from - length, to: main.to };
    const selection = EditorSelection.cursor(from + text.length);
    this.#view.dispatch({ changes: { from, to, insert: text }, selection, userEvent: 'input.paste' });
    this.#commit();
  }

  /** Shows what the pills are called now. */
  relabel() {
    this.#view?.dispatch({});
  }

  #clean(text) {
    return this.isMultiline ? text.replaceAll('\r\n', '\n') : text.replaceAll(/\s*[\r\n]+\s*/g, ' ');
  }

  #show(text) {
    const { doc } = this.#view.state;
    if (doc.toString() !== text) this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
  }

  #begin() {
    this.#saved = this.value;
    const ids = (this.getAttribute('describedby') ?? '').split(' ');
    this.#view.contentDOM.ariaDescribedByElements = ids.flatMap((id) => document.getElementById(id) ?? []);
  }

  #commit() {
    if (this.value === this.#saved) return;
    this.#saved = this.value;
    this.dispatchEvent(new Event('change', { bubbles: true }));
  }

  #note({ docChanged, transactions }) {
    if (!docChanged) return;
    this.#internals.setFormValue(this.value);
    if (
      !transactions.some((each) => each.isUserEvent('input') || each.isUserEvent('delete') || each.isUserEvent('undo'))
    )
      return;
    this.#isChanged = true;
    this.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #submit() {
    this.#commit();
    this.form?.requestSubmit();
    return true;
  }

  #stateOf(doc) {
    const enter = this.isMultiline ? [] : [{ key: 'Enter', run: () => this.#submit() }];
    return EditorState.create({
      doc,
      extensions: [
        history(),
        keymap.of([...enter, ...historyKeymap, ...standardKeymap]),
        pills,
        look,
        EditorView.lineWrapping,
        placeholder(this.getAttribute('placeholder') ?? ''),
        EditorState.transactionFilter.of((change) => (this.isMultiline || change.newDoc.lines === 1 ? change : [])),
        EditorView.clipboardInputFilter.of((text) => this.#clean(text)),
        EditorView.contentAttributes.of(() => this.#describe()),
        EditorView.updateListener.of((update) => this.#note(update)),
      ],
    });
  }

  #describe() {
    return {
      dir: 'auto',
      'aria-label': this.getAttribute('label') ?? '',
      'aria-multiline': String(this.isMultiline),
      ...(this.hasAttribute('required') && { 'aria-required': 'true' }),
      ...(this.hasAttribute('invalid') && { 'aria-invalid': 'true' }),
    };
  }
}
customElements.define('mapped-text', MappedText);

document.addEventListener('htmx:after:swap', () => {
  for (const each of document.querySelectorAll('mapped-text')) each.relabel();
});
