/** Queries in JSON that are long, wide or deep. A base is a condition on its entity. */
import { quoted, times, type Grow, type Wrap } from './shape';

const dotted = (steps: string): string => `["=",${quoted(`facts.${steps}`)},1]`;
const text = (value: string): string => `["=","certname",${quoted(value)}]`;
const regex = (pattern: string): string => `["~","certname",${quoted(pattern)}]`;
const list = (members: string): string => `["in","certname",["array",[${members}]]]`;

/** By entity: a condition. */
export const astBases: Readonly<Record<string, Readonly<Record<string, Grow>>>> = {
  nodes: {
    'digit steps of a fact': (n) => `["=",["fact",${quoted(`a${times(n, '.0')}`)}],1]`,
    'a value of n characters': (n) => text('x'.repeat(n)),
    'n escapes in a value': (n) => `["=","certname","${times(n, '\\u0041')}"]`,
    'n NULs in a value': (n) => `["=","certname","${times(n, '\\u0000')}"]`,
    'n half surrogates': (n) => `["=","certname","${times(n, '\\ud800')}"]`,
    'n emoji': (n) => text('💥'.repeat(n)),
    'n quotes': (n) => text(`"'`.repeat(n)),
    'n backslashes': (n) => text('\\'.repeat(n)),
    'a number of n digits': (n) => `["=","report_timestamp",${times(n, '9')}]`,
    'a fraction of n digits': (n) => `["=",["fact","a"],0.${times(n, '3')}]`,
    'an exponent of n digits': (n) => `["=",["fact","a"],1e${times(n, '9')}]`,
    'an operator of n characters': (n) => `[${quoted('='.repeat(n))},"certname","x"]`,
    'a field of n characters': (n) => `["=",${quoted('f'.repeat(n))},"x"]`,
    'a time of n digits': (n) => `["=","report_timestamp","${times(n, '2')}-01-01"]`,
    'an operator with n operands': (n) => `["=","certname",${times(n, '1', ',')}]`,
    'a list n deep as a value': (n) => `["=","certname",${times(n, '[')}${times(n, ']')}]`,
    'a map n deep as a value': (n) => `["=",["fact","a"],${times(n, '{"a":')}1${times(n, '}')}]`,
    'a map of n keys as a value': (n) => `["=",["fact","a"],{${times(n, (i) => `"k${i}":${i}`, ',')}}]`,
    'a map of n equal keys': (n) => `["=",["fact","a"],{${times(n, '"k":1', ',')}}]`,
    'in n equal values': (n) => list(times(n, '"x"', ',')),
    'in n distinct values': (n) => list(times(n, (i) => `"x${i}"`, ',')),
    'in n rows of 3 columns': (n) =>
      `["in",["certname","report_environment","facts_environment"],["array",[${times(n, (i) => `["${i}","a","b"]`, ',')}]]]`,
    'in rows of n columns': (n) =>
      `["in",[${times(n, '"certname"', ',')}],["array",[[${times(n, '"x"', ',')}],[${times(n, '"y"', ',')}]]]]`,
    'a regex of n characters': (n) => regex('a'.repeat(n)),
    'a regex of n open groups': (n) => regex('('.repeat(n)),
    'a regex of n nested groups': (n) => regex(`${'('.repeat(n)}a${')*'.repeat(n)}`),
    'a regex of n bounds': (n) => regex(`a${times(n, '{1,9}')}`),
    'a regex of n classes': (n) => regex('[[:alpha:]]'.repeat(n)),
    'a regex of n branches': (n) => regex(times(n, (i) => `x${i}`, '|')),
    'n ~ under or': (n) => `["or",${times(n, (i) => `["~","certname","x${i}"]`, ',')}]`,
    'n = under and': (n) => `["and",${times(n, (i) => `["=","certname","x${i}"]`, ',')}]`,
    'n facts under or': (n) => `["or",${times(n, (i) => `["=",["fact","f${i}"],${i}]`, ',')}]`,
    'null? of n fields': (n) => `["or",${times(n, '["null?","deactivated",true]', ',')}]`,
  },
  inventory: {
    'n plain steps': (n) => dotted(times(n, 'a', '.')),
    'n digit steps': (n) => dotted(`a${times(n, '.0')}`),
    'n dots': (n) => dotted('.'.repeat(n)),
    'n quoted steps': (n) => dotted(times(n, '"a"', '.')),
    'n unclosed quoted steps': (n) => dotted(times(n, '"a.')),
    'n indexes': (n) => dotted(`a${times(n, '[1]')}`),
    'n indexes and more': (n) => dotted(`${times(n, '[1]')}x`),
    'n match steps': (n) => dotted(times(n, 'match("a")', '.')),
    'n unclosed match steps': (n) => dotted(times(n, 'match(', '.')),
    'n brackets': (n) => dotted('['.repeat(n)),
    'n quotes in a step': (n) => dotted('"'.repeat(n)),
    'n escaped quotes': (n) => dotted(`"${times(n, '\\"')}"`),
    'a step of n characters': (n) => dotted('s'.repeat(n)),
    'n steps of a pattern': (n) => `["~",${quoted(`facts.${times(n, 'a', '.')}`)},"x"]`,
    'n distinct dotted names': (n) => `["or",${times(n, (i) => `["=","facts.a${i}.b[0]",1]`, ',')}]`,
  },
  fact_contents: {
    'a path of n elements': (n) => `["=","path",[${times(n, '"a"', ',')}]]`,
    'a path of n digits': (n) => `["=","path",[${times(n, '0', ',')}]]`,
    '~> of n patterns': (n) => `["~>","path",[${times(n, '"a.*"', ',')}]]`,
    '~> of n open groups': (n) => `["~>","path",["${times(n, '(')}"]]`,
    'in n paths': (n) => `["in","path",["array",[${times(n, (i) => `["a",${i}]`, ',')}]]]`,
    'in n values': (n) => `["in","value",["array",[${times(n, String, ',')}]]]`,
  },
  resources: {
    'n tags': (n) => `["and",${times(n, (i) => `["=","tag","t${i}"]`, ',')}]`,
    'a parameter of n characters': (n) => `["=",["parameter",${quoted('p'.repeat(n))}],"x"]`,
    'n parameters': (n) => `["or",${times(n, (i) => `["=",["parameter","p${i}"],"x"]`, ',')}]`,
    'parameters of n keys': (n) => `["=","parameters",{${times(n, (i) => `"k${i}":"x"`, ',')}}]`,
    'n steps of parameters': (n) => `["=",${quoted(`parameters.${times(n, 'a', '.')}`)},1]`,
  },
  events: {
    'n containing classes': (n) => `["or",${times(n, (i) => `["=","containing_class","C${i}"]`, ',')}]`,
    'n latest reports': (n) => `["and",${times(n, '["=","latest_report?",true]', ',')}]`,
    'n hashes': (n) => `["or",${times(n, '["=","report","0123456789012345678901234567890123456789"]', ',')}]`,
  },
};

/** Wraps a condition into another condition on the same entity. */
export const astWraps = (entity: string): Readonly<Record<string, Wrap>> => ({
  'n times not': (n, inner) => `${times(n, '["not",')}${inner}${times(n, ']')}`,
  'n in an and': (n, inner) => `["and",${times(n, inner, ',')}]`,
  'n in an or': (n, inner) => `["or",${times(n, inner, ',')}]`,
  'and in or, n deep': (n, inner) =>
    times(n, (i) => (i % 2 === 0 ? '["and",' : '["or",')) + inner + times(n, `,${inner}]`),
  'n queries inside one another': (n, inner) =>
    times(n, `["in","certname",["extract","certname",["select_${entity}",`) + inner + times(n, ']]]'),
  'n from inside one another': (n, inner) =>
    times(n, `["in","certname",["from","${entity}",["extract",["certname"],`) + inner + times(n, ']]]'),
  'n subqueries inside one another': (n, inner) => times(n, `["and",["subquery","${entity}",`) + inner + times(n, ']]'),
});

const count = '["function","count"]';
/** Wraps a condition into a whole query. */
export const astWholes: Readonly<Record<string, Wrap>> = {
  'the condition alone': (_, inner) => inner,
  'n equal columns': (n, inner) => `["extract",[${times(n, '"certname"', ',')}],${inner}]`,
  'n dotted columns': (n, inner) => `["extract",[${times(n, (i) => `"facts.a${i}"`, ',')}],${inner}]`,
  'n steps of a column': (n, inner) => `["extract",[${quoted(`facts.${times(n, 'a', '.')}`)}],${inner}]`,
  'n unknown columns': (n, inner) => `["extract",[${times(n, (i) => `"c${i}"`, ',')}],${inner}]`,
  'n counts': (n, inner) => `["extract",[${times(n, count, ',')}],${inner}]`,
  'a template of n characters': (n, inner) =>
    `["extract",[["function","to_string","report_timestamp","${times(n, 'YYYY')}"]],${inner}]`,
  'grouped by n names': (n, inner) => `["extract",[${count}],${inner},["group_by",${times(n, '"certname"', ',')}]]`,
  'n comparisons of having': (n, inner) =>
    `["extract",["certname"],${inner},["group_by","certname"],["having",["and",${times(n, `[">",${count},1]`, ',')}]]]`,
  'having n lists deep': (n, inner) =>
    `["extract",["certname"],${inner},["group_by","certname"],["having",${times(n, '["and",')}[">",${count},1]${times(n, ']')}]]`,
  'a function of n arguments': (n, inner) =>
    `["extract",[["function","count",${times(n, '"certname"', ',')}]],${inner}]`,
  'ordered by n terms': (n, inner) =>
    `["extract",["certname"],${inner},["order_by",[${times(n, '["certname","desc"]', ',')}]]]`,
};

/** Bodies that are not a query or not JSON. */
export const astRaws: Readonly<Record<string, Grow>> = {
  'n open brackets': (n) => '['.repeat(n),
  'n brackets': (n) => '['.repeat(n) + ']'.repeat(n),
  'n open braces': (n) => '[' + '{"a":'.repeat(n),
  'n blanks': (n) => `[${' '.repeat(n)}"="]`,
  'n line breaks and nothing': (n) => `[${'\n'.repeat(n)}`,
  'an unclosed text': (n) => `["${'x'.repeat(n)}`,
  'n commas': (n) => `[${','.repeat(n)}]`,
  'n bad escapes': (n) => `["${'\\q'.repeat(n)}"]`,
  'n minus signs': (n) => `[${'-'.repeat(n)}]`,
  'n letters': (n) => `[${'t'.repeat(n)}]`,
  'what follows the query': (n) => `["=","certname","x"]${'x'.repeat(n)}`,
  'n lists': (n) => `[${times(n, '[]', ',')}]`,
  'n nulls': (n) => `[${times(n, 'null', ',')}]`,
};
