/** Makes docs/operators.md from the tables of operators and functions. */
import { additions } from '../../libs/query/additions';
import { queryFunctions } from '../../libs/query/operators/functions';
import type { PqlForm } from '../../libs/query/operators/operator';
import { fieldOperators, structuralOperators } from '../../libs/query/operators/operators';
import { providersOf } from '../../libs/query/sql/version';
import { markdownTable } from './markdown-table';

const code = (text: string): string => `\`${text}\``;

function pqlForm(form: PqlForm): string {
  const text = code('infix' in form ? form.infix : form.suffix);
  if ('suffix' in form) return `${text} (${form.value})`;
  return form.negated === true ? `${text} (negated)` : text;
}

const versionRules: Readonly<Record<keyof typeof providersOf | 'general', string>> = {
  deb: 'As dpkg: epoch, version, revision. `~` precedes the end: `1.0~rc1` < `1.0`.',
  rpm: 'As rpm: epoch, version, release. `~` precedes the end, `^` follows it. `1.0` < `1.0-1`.',
  semver: 'As semver.org. `1.0.0-rc.1` < `1.0.0`. What follows `+` does not count.',
  gem: 'As RubyGems. A word precedes the release: `1.0.0.rc1` < `1.0.0`. `1.0` = `1`.',
  python: 'As Python packages (PEP 440). `1.0.dev1` < `1.0a1` < `1.0rc1` < `1.0` < `1.0.post1`. `1.0` = `1`.',
  general: 'Numbers and words (below). `5.4` < `5.10` = `5.10.0` < `5.10.0-28`.',
};

/** Returns the whole page, as prettier formats it. */
export function operatorsPage(): string {
  return `${[
    '# Operators and functions of queries',
    '[entities.md](entities.md) lists the operators of each field. This page is made from the tables in\n' +
      '`libs/query/operators`; `NODELEDGER_WRITE_PAGES=1 npx jest test/docs` writes it again.',
    '## Operators on a field',
    'In JSON a condition is `[operator, field, value]`. In PQL it is `field operator value`.',
    markdownTable(
      ['operator', 'in PQL', 'meaning', 'fields', 'example'],
      fieldOperators.map(({ name, pql, summary, fields, example }) => [
        code(name),
        pql.map(pqlForm).join(', ') || 'none',
        summary,
        fields,
        code(example),
      ]),
    ),
    '## Operators on conditions and queries',
    markdownTable(
      ['operator', 'meaning', 'example', 'in PQL'],
      structuralOperators.map(({ name, summary, example, pql }) => [code(name), summary, code(example), code(pql)]),
    ),
    '## Functions',
    'In JSON a call is `["function", name, field]` in the columns of `extract`. A function that folds rows gives one value for\n' +
      'each group of `group_by`, or for all rows without it.',
    markdownTable(
      ['function', 'meaning', 'fields', 'folds rows', 'example in PQL'],
      queryFunctions.map(({ name, summary, fields, isAggregate, example }) => [
        code(name),
        summary,
        fields,
        isAggregate ? 'yes' : '',
        code(example),
      ]),
    ),
    '## Times relative to now',
    'With `<`, `>`, `<=` and `>=`, a time can be relative to now. `now` is the time at which the service begins to answer the\n' +
      'request: it is the same in all parts of a query. The units are seconds, minutes, hours, days and weeks (`s`, `m`, `h`, `d`,\n' +
      '`w`), at most 36500 days.',
    markdownTable(
      ['PQL', 'JSON'],
      [
        ['`report_timestamp < now() - 2h`', '`["<", "report_timestamp", ["-", ["now"], "2h"]]`'],
        ['`report_timestamp < "2 hours ago"`', '`["<", "report_timestamp", "2 hours ago"]`'],
        ['`producer_timestamp > now() + 5m`', '`[">", "producer_timestamp", ["+", ["now"], "5m"]]`'],
        ['`end_time < now()`', '`["<", "end_time", ["now"]]`'],
      ],
    ),
    '## Conditions on groups',
    '`having` follows `group by`, and shows only the groups that meet its condition. The condition compares an aggregate function with a\n' +
      'number (`=`, `<`, `>`, `<=`, `>=`). `and` joins several comparisons. The function need not be a column. `min` and `max` need a field that\n' +
      'holds numbers. A group for which the function has no value is not shown.',
    markdownTable(
      ['PQL', 'JSON'],
      [
        [
          '`facts[value, count()] { name = "serialnumber" group by value having count() > 1 }`',
          '`["from", "facts", ["extract", ["value", ["function", "count"]], ["=", "name", "serialnumber"], ["group_by", "value"], ["having", [">", ["function", "count"], 1]]]]`',
        ],
      ],
    ),
    '## Order and limit of groups, distinct rows',
    'Groups can be ordered by the columns of `group by` and by functions of their rows, whether they are shown or not. Groups for\n' +
      'which a function has no value come last. `distinct` shows equal rows once; `count_distinct` counts the different values of\n' +
      'a field.',
    markdownTable(
      ['PQL', 'JSON'],
      [
        [
          '`nodes[report_environment, count()] { group by report_environment order by count() desc limit 5 }`',
          '`["from", "nodes", ["extract", ["report_environment", ["function", "count"]], ["group_by", "report_environment"]], ["order_by", [[["function", "count"], "desc"]]], ["limit", 5]]`',
        ],
        [
          '`resources[distinct type] { exported = true order by type }`',
          '`["from", "resources", ["extract", ["type"], ["=", "exported", true], ["distinct"]], ["order_by", ["type"]]]`',
        ],
      ],
    ),
    'In the parameter `order_by`, a function is a list, too: `[{"field": ["function", "count"], "order": "desc"}]`.',
    '## Metrics of reports',
    'In queries of reports, `metrics.CATEGORY.NAME` is the number of one metric, in conditions, columns, functions and `order by`:\n' +
      '`reports[certname, metrics.time.config_retrieval] { metrics.time.config_retrieval > 10 }`. The metrics have no index: the\n' +
      'service reads those of each report for which the other conditions hold. To read fewer reports, add a condition on a time, or `latest_report? = true`.',
    '## Versions',
    'A condition on `version(field)` compares versions with `=`, `!=`, `<`, `>`, `<=` and `>=`, so that 3.0.10 follows 3.0.9. The\n' +
      'field is a text, or a value of a fact or parameter. It cannot be a column, and `order by` does not take it.',
    markdownTable(
      ['PQL', 'JSON'],
      [
        ['`version(version) < version("3.0.9")`', '`["<", ["function", "version", "version"], "3.0.9"]`'],
        [
          '`version(facts.kernelrelease) >= version("5.10")`',
          '`[">=", ["function", "version", "facts.kernelrelease"], "5.10"]`',
        ],
      ],
    ),
    'The service compares a `version` of packages and package_inventory by the rules of the provider of that package. Facts, and packages\n' +
      'of other providers, have the rule `general`.',
    markdownTable(
      ['rule', 'providers', 'how it compares'],
      Object.entries(versionRules).map(([rule, summary]) => [
        rule,
        rule === 'general' ? 'all others' : providersOf[rule as keyof typeof providersOf].map(code).join(', '),
        summary,
      ]),
    ),
    'The rule `general` compares numbers and words, and ignores all other characters. A number is greater than a word. The words `dev`,\n' +
      '`snapshot`, `alpha`, `beta`, `pre`, `preview` and `rc` precede the release, all others follow it: `8.0.0-rc1` < `8.0.0` <\n' +
      '`8.0.0a`. Upper and lower case are the same, and a `v` at the beginning does not count.',
    'An epoch counts only if the version in the query has one. So `version(version) < version("3.0.9")` finds openssl\n' +
      '`1:3.0.7-16.el9`; to compare epochs too, write `version("1:3.0.9")` or `version("0:3.0.9")`.',
    'A version does not show whether a bug is fixed: distributions often fix bugs in the old version and increase only the release\n' +
      'number (`3.0.7-15` to `3.0.7-16`).',
    'A text without a digit, such as `unknown`, is not a version, nor is one of more than 256 characters. It is neither less than a\n' +
      'version, nor equal, nor greater. The same holds for `!(version(value) < version("5.10"))` and `!=`.',
    'PostgreSQL cannot use an index for this comparison. Name the package or the fact as well, so that the service compares few versions.',
    '## Additions',
    'PuppetDB refuses the following. With `NODELEDGER_STRICT_QUERIES=true`, the service refuses them in the same way.',
    Object.values(additions)
      .map((summary) => `- ${summary}`)
      .join('\n'),
  ].join('\n\n')}\n`;
}
