/**
 * Creates the editor in a shadow tree, where CodeMirror adopts style sheets. Elsewhere, CodeMirror adds style elements,
 * which the page's Content-Security-Policy refuses.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter } from '@codemirror/lint';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { QueryErrors, QueryLanguage } from '../../service/shapes';

type Lang = 'pql' | 'ast';

interface EditorOptions {
  readonly text: string;
  readonly lang: Lang;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
  readonly check: (query: string, signal: AbortSignal) => Promise<QueryErrors['errors']>;
  readonly language: () => QueryLanguage | undefined;
}

export interface Editor {
  readonly show: (text: string) => void;
  readonly speak: (lang: Lang) => void;
  /** Applies the service's suggestion for the first error that has one. Returns false if no error has a suggestion. */
  readonly useFix: () => boolean;
  readonly close: () => void;
}

const keywords = /^(in|and|or|not|is|null|group|order|by|asc|desc|limit|offset|true|false|nodes)$/;

const pql = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string';
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.match(/^-?\d+(\.\d+)?[smhdwy]?\b/)) return 'number';
    const word = stream.match(/^[a-z_][\w.-]*\??/i) as RegExpMatchArray | null;
    if (word !== null) {
      if (/^(count|sum|avg|min|max|now|to_string|distinct)$/.test(word[0])) return 'function';
      if (keywords.test(word[0])) return 'keyword';
      return stream.peek() === '{' || stream.peek() === '[' ? 'typeName' : 'propertyName';
    }
    stream.next();
    return 'operator';
  },
  tokenTable: { function: tags.function(tags.variableName) },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--noop)' },
  { tag: tags.typeName, color: 'var(--noop)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--stale)' },
  { tag: tags.function(tags.variableName), color: 'var(--changed)' },
  { tag: tags.comment, color: 'var(--ink-3)' },
]);

const look = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.7', minHeight: '120px' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-3)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '38px', padding: '0 12px 0 0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 70%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '7px',
    boxShadow: 'var(--shadow-2)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12.5px', maxHeight: '15em' },
  '.cm-tooltip-autocomplete > ul > li': {
    padding: '4px 10px',
    display: 'flex',
    gap: '16px',
    justifyContent: 'space-between',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--ink)' },
  '.cm-completionDetail': { fontFamily: 'var(--sans)', fontStyle: 'normal', color: 'var(--ink-3)', marginLeft: 'auto' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '600' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--failed)',
    textUnderlineOffset: '4px',
  },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: '3px solid var(--failed)', fontFamily: 'var(--sans)' },
});

export function openEditor(frame: HTMLElement, options: EditorOptions): Editor {
  const root = frame.shadowRoot ?? frame.attachShadow({ mode: 'open' });
  let lang = options.lang;
  let fix: { from: number; to: number; text: string } | undefined;
  const highlight = new Compartment();
  const highlightOf = (chosen: Lang) => (chosen === 'pql' ? pql : StreamLanguage.define({ token: jsonToken }));
  let checking = new AbortController();
  const diagnose = async (view: EditorView): Promise<readonly Diagnostic[]> => {
    checking.abort();
    checking = new AbortController();
    const { signal } = checking;
    const text = view.state.doc.toString();
    const errors = await options.check(text, signal);
    if (signal.aborted) return [];
    fix = undefined;
    return errors.map((error) => {
      const { from, to } = rangeOf(view.state, error);
      if (error.instead !== null) fix ??= { from, to, text: error.instead };
      return { from, to, severity: 'error', message: error.message };
    });
  };
  const useFix = (): boolean => {
    if (fix === undefined || fix.to > view.state.doc.length) return false;
    const { from, to, text } = fix;
    fix = undefined;
    view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length } });
    return true;
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        Prec.highest(
          keymap.of([
            { key: 'Mod-Enter', run: () => (options.onRun(), true) },
            { key: 'Tab', run: useFix },
          ]),
        ),
        lineNumbers(),
        history(),
        highlightActiveLine(),
        bracketMatching(),
        closeBrackets(),
        indentUnit.of('  '),
        highlight.of(highlightOf(lang)),
        syntaxHighlighting(colours),
        autocompletion({ override: [(context) => complete(context, lang, options.language())], icons: false }),
        linter(diagnose, { delay: 350 }),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Query', spellcheck: 'false' }),
        // Inserts typed text that replaces a selection. Otherwise Chromium would keep the colors of the old text in a
        // style attribute, which the page's Content-Security-Policy refuses.
        EditorView.domEventHandlers({
          beforeinput(event, view) {
            if (event.inputType !== 'insertText' || event.data === null || view.composing) return false;
            if (view.state.selection.main.empty) return false;
            view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
            event.preventDefault();
            return true;
          },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onText(update.state.doc.toString());
        }),
        look,
      ],
    }),
  });
  return {
    speak(chosen) {
      lang = chosen;
      view.dispatch({ effects: highlight.reconfigure(highlightOf(chosen)) });
      forceLinting(view);
    },
    show(text) {
      if (text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    useFix,
    close() {
      checking.abort();
      view.destroy();
    },
  };
}

function jsonToken(stream: { match(pattern: RegExp): unknown; next(): unknown; eatSpace(): boolean }): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
  if (stream.match(/^-?\d+(\.\d+)?/)) return 'number';
  if (stream.match(/^(true|false|null)\b/)) return 'keyword';
  stream.next();
  return null;
}

function rangeOf(
  state: EditorState,
  { line, column, length }: QueryErrors['errors'][number],
): { from: number; to: number } {
  const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const from = Math.min(at.from + Math.max(column, 1) - 1, at.to);
  const to = Math.min(from + Math.max(length, 1), state.doc.length);
  return to > from ? { from, to } : { from: Math.max(0, from - 1), to };
}

/**
 * Offers entities at the beginning of the query and after `in`. Elsewhere, offers the fields of the entity whose
 * brackets surround the cursor.
 */
function complete(
  context: CompletionContext,
  lang: Lang,
  language: QueryLanguage | undefined,
): CompletionResult | null {
  if (language === undefined) return null;
  const word = context.matchBefore(/[\w.?]*/);
  if (word === null || (word.from === word.to && !context.explicit)) return null;
  const before = context.state.sliceDoc(0, word.from);
  if (lang === 'pql' && isInString(before)) return null;
  const entities = language.entities.map(({ name, fields }): Completion => ({
    label: name,
    type: 'type',
    detail: `${fields.length} fields`,
  }));
  const entity = lang === 'pql' ? entityAt(before, language) : /"from"\s*,\s*"(\w+)"/.exec(before)?.[1];
  const fields = language.entities.find(({ name }) => name === entity)?.fields ?? [];
  const expectsEntity = before.trim() === '' || /\bin\s+$/.test(before) || /"(from|subquery)"\s*,\s*"$/.test(before);
  const others: readonly Completion[] = [
    ...fields.map(({ name, kind }): Completion => ({ label: name, type: 'property', detail: kind })),
    ...language.functions.map(({ name, summary }): Completion => ({
      label: name,
      type: 'function',
      apply: `${name}()`,
      detail: summary,
    })),
    ...['and', 'or', 'not', 'in', 'order by', 'group by', 'limit', 'is null', 'is not null'].map(
      (label): Completion => ({ label, type: 'keyword' }),
    ),
  ];
  return { from: word.from, options: expectsEntity ? entities : [...others], validFor: /^[\w.?]*$/ };
}

const isInString = (before: string): boolean => (before.replace(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;

function entityAt(before: string, language: QueryLanguage): string | undefined {
  const names = new Set(language.entities.map(({ name }) => name));
  const open: string[] = [];
  let last = '';
  for (const [sign] of before.matchAll(/"(?:[^"\\]|\\.)*"|[\w.]+|[[\]{}]/g)) {
    if (sign === '[' || sign === '{') open.push(last);
    else if (sign === ']' || sign === '}') {
      const closed = open.pop();
      // In `nodes[certname] {`, the braces belong to the entity before the brackets.
      last = sign === ']' ? (closed ?? '') : '';
      continue;
    }
    last = sign;
  }
  return open.findLast((name) => names.has(name)) ?? (names.has(last) ? last : undefined);
}
