/** Queries in PQL that are long, wide or deep. A base is a condition on its entity. */
import { quoted, times, type Grow, type Wrap } from './shape';

export const pqlBases: Readonly<Record<string, Readonly<Record<string, Grow>>>> = {
  nodes: {
    'a text of n characters': (n) => `certname = "${'x'.repeat(n)}"`,
    'n escapes': (n) => `certname = "${'\\n'.repeat(n)}"`,
    'n escaped single quotes': (n) => `certname = '${"\\'".repeat(n)}'`,
    'an unclosed text': (n) => `certname = "${'x'.repeat(n)}`,
    'n unclosed texts': (n) => `certname = ${`"' `.repeat(n)}`,
    'a number of n digits': (n) => `report_timestamp = ${'9'.repeat(n)}`,
    'a fraction of n digits': (n) => `report_timestamp = 1.${'9'.repeat(n)}`,
    'a name of n characters': (n) => `${'c'.repeat(n)} = "x"`,
    'in n texts': (n) => `certname in [${times(n, (i) => `"x${i}"`, ', ')}]`,
    'in n lists': (n) => `certname in [${times(n, '["x"]', ',')}]`,
    'in lists n deep': (n) => `certname in ${'['.repeat(n)}${']'.repeat(n)}`,
    'in n open lists': (n) => `certname in ${'['.repeat(n)}`,
    'n columns in rows': (n) => `[${times(n, 'certname', ',')}] in [[${times(n, '"x"', ',')}]]`,
    'n regexes': (n) => times(n, (i) => `certname ~ "x${i}"`, ' or '),
    'a regex of n groups': (n) => `certname ~ "${'('.repeat(n)}${')*'.repeat(n)}"`,
    'n blanks': (n) => `certname${' '.repeat(n)}=${'\t'.repeat(n)}"x"`,
    'n operators': (n) => `certname ${'='.repeat(n)} "x"`,
    'n conditions with and': (n) => times(n, (i) => `certname = "x${i}"`, ' and '),
    'n conditions with and, or': (n) =>
      times(n, (i) => `certname = "${i}" ${i % 2 === 0 ? 'and' : 'or'} `) + 'certname = "y"',
    'n and without conditions': (n) => `certname = "x"${' and'.repeat(n)}`,
  },
  inventory: {
    'n plain steps': (n) => `facts${'.a'.repeat(n)} = 1`,
    'n digit steps': (n) => `facts.a${'.0'.repeat(n)} = 1`,
    'n dots': (n) => `facts${'.'.repeat(n)} = 1`,
    'n quoted steps': (n) => `facts${'."a"'.repeat(n)} = 1`,
    'n unclosed quoted steps': (n) => `facts.${'"a.'.repeat(n)} = 1`,
    'n indexes': (n) => `facts.a${'[1]'.repeat(n)} = 1`,
    'n match steps': (n) => `facts${'.match("a")'.repeat(n)} = 1`,
    'n unclosed match steps': (n) => `facts${'.match('.repeat(n)} = 1`,
    'n brackets in a step': (n) => `facts.a${'['.repeat(n)} = 1`,
    'a step of n characters': (n) => `facts.${'s'.repeat(n)} = 1`,
    'n dotted names': (n) => times(n, (i) => `facts.a${i}.b = ${i}`, ' or '),
  },
  fact_contents: {
    '~> of n patterns': (n) => `path ~> [${times(n, '"a"', ', ')}]`,
    'a path of n elements': (n) => `path = [${times(n, '"a"', ',')}]`,
  },
};

export const pqlWraps = (entity: string): Readonly<Record<string, Wrap>> => ({
  'n parentheses': (n, inner) => `${'('.repeat(n)}${inner}${')'.repeat(n)}`,
  'n times not': (n, inner) => `${'!('.repeat(n)}${inner}${')'.repeat(n)}`,
  'n exclamation marks': (n, inner) => `${'!'.repeat(n)}(${inner})`,
  'n with or': (n, inner) => times(n, inner, ' or '),
  'n with and': (n, inner) => times(n, inner, ' and '),
  'and in or, n deep': (n, inner) =>
    times(n, (i) => `${inner} ${i % 2 === 0 ? 'and' : 'or'} (`) + inner + ')'.repeat(n),
  'n queries inside one another': (n, inner) => times(n, `certname in ${entity}[certname] { `) + inner + ' }'.repeat(n),
  'n subqueries inside one another': (n, inner) => times(n, `${entity} { `) + inner + ' }'.repeat(n),
});

export const pqlWholes = (entity: string): Readonly<Record<string, Wrap>> => ({
  'the condition alone': (_, inner) => `${entity} { ${inner} }`,
  'n columns': (n, inner) => `${entity}[${times(n, 'certname', ', ')}] { ${inner} }`,
  'n dotted columns': (n, inner) => `inventory[${times(n, (i) => `facts.a${i}`, ', ')}] { ${inner} }`,
  'n functions': (n, inner) => `${entity}[${times(n, 'count()', ',')}] { ${inner} }`,
  'a function of n templates': (n, inner) => `${entity}[to_string(certname${', "x"'.repeat(n)})] { ${inner} }`,
  'grouped by n names': (n, inner) => `${entity}[count()] { ${inner} group by ${times(n, 'certname', ', ')} }`,
  'n comparisons of having': (n, inner) =>
    `${entity}[certname] { ${inner} group by certname having ${times(n, 'count() > 1', ' and ')} }`,
  'ordered by n terms': (n, inner) => `${entity} { ${inner} order by ${times(n, 'certname desc', ', ')} }`,
  'n limits': (n, inner) => `${entity} { ${inner}${' limit 1'.repeat(n)} }`,
  'a limit of n digits': (n, inner) => `${entity} { ${inner} limit ${'9'.repeat(n)} }`,
});

export const pqlRaws: Readonly<Record<string, Grow>> = {
  'n open braces': (n) => `nodes ${'{'.repeat(n)}`,
  'n braces': (n) => `nodes ${'{'.repeat(n)}${'}'.repeat(n)}`,
  'an entity of n characters': (n) => `${'n'.repeat(n)} { }`,
  'n entities': (n) => 'nodes '.repeat(n),
  'n blanks': (n) => `${' '.repeat(n)}nodes {${' '.repeat(n)}}${' '.repeat(n)}`,
  'what follows the query': (n) => `nodes { } ${'x'.repeat(n)}`,
  'n open parentheses': (n) => `nodes { ${'('.repeat(n)}`,
  'n backslashes': (n) => `nodes { certname = "${'\\'.repeat(n)}`,
  'n quoted texts': (n) => `nodes { ${quoted('x').repeat(n)} }`,
};
