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
  deb: 'As dpkg: compares epoch, version and revision. `~` is less than the end of the text: `1.0~rc1` < `1.0`.',
  rpm: 'As rpm: compares epoch, version and release. `~` is less than the end of the text, and `^` is greater. `1.0` < `1.0-1`.',
  semver: 'As semver.org: `1.0.0-rc.1` < `1.0.0`. The rule ignores the text after `+`.',
  gem: 'As RubyGems: a version with a word is less than the release. `1.0.0.rc1` < `1.0.0`. `1.0` = `1`.',
  python: 'As Python packages (PEP 440): `1.0.dev1` < `1.0a1` < `1.0rc1` < `1.0` < `1.0.post1`. `1.0` = `1`.',
  general: 'Compares numbers and words, as described below: `5.4` < `5.10` = `5.10.0` < `5.10.0-28`.',
};

/** Returns the whole page, as prettier formats it. */
export function operatorsPage(): string {
  return `${[
    '# Operators and functions of queries',
    'This page describes the operators and functions of PQL and JSON queries. [entities.md](entities.md) lists the operators of\n' +
      'each field, and [query-guide.md](query-guide.md) has examples. The last section lists all parts of the query language that\n' +
      'PuppetDB does not support.',
    '## Operators on a field',
    'In JSON, a condition has the form `[operator, field, value]`. In PQL, a condition has the form `field operator value`.',
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
    'In JSON, a function is `["function", name, field]` in the columns of `extract`. An aggregate function returns one value for\n' +
      'each group of `group_by`. Without `group_by`, it returns one value for all rows.',
    markdownTable(
      ['function', 'meaning', 'fields', 'aggregate', 'example in PQL'],
      queryFunctions.map(({ name, summary, fields, isAggregate, example }) => [
        code(name),
        summary,
        fields,
        isAggregate ? 'yes' : '',
        code(example),
      ]),
    ),
    '## Times relative to now',
    'With `<`, `>`, `<=` and `>=`, you can write a time relative to now. `now` is the time at which the service begins to answer\n' +
      'the request, and has the same value in all parts of a query. The units are seconds, minutes, hours, days and weeks (`s`,\n' +
      '`m`, `h`, `d`, `w`). The largest distance is 36500 days.',
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
    'With `having` after `group by`, the answer contains only the groups for which a condition is true. The condition compares an\n' +
      'aggregate function with a number (`=`, `<`, `>`, `<=`, `>=`). You can join several comparisons with `and`. The function does not\n' +
      'need to be a column of the answer. `min` and `max` need a field with numbers. If the function has no value for a group, the\n' +
      'answer does not contain the group.',
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
    'You can sort groups by columns of `group by`, and by aggregate functions. The answer does not need to contain these columns and\n' +
      'functions. Groups for which the function has no value come last. With `distinct`, the answer contains equal rows only once.\n' +
      '`count_distinct` counts the different values of a field.',
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
    'In the parameter `order_by`, write a function as a list: `[{"field": ["function", "count"], "order": "desc"}]`.',
    '## Metrics of reports',
    'In queries of reports, `metrics.CATEGORY.NAME` is the number of one metric. You can use this name in conditions, columns,\n' +
      'functions and `order by`: `reports[certname, metrics.time.config_retrieval] { metrics.time.config_retrieval > 10 }`.',
    'Metrics have no index. So PostgreSQL reads the metrics of all reports for which the other conditions are true. To make the query\n' +
      'faster, add a condition on a time, or `latest_report? = true`.',
    '## Versions',
    'A condition on `version(field)` compares versions with `=`, `!=`, `<`, `>`, `<=` or `>=`. For example, 3.0.10 is greater than\n' +
      '3.0.9. The field can be a text, or a value of a fact or parameter. You cannot use `version(field)` as a column or in `order by`.',
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
    'The rule of the comparison depends on the field. For the field `version` of packages and package_inventory, the provider of the\n' +
      'package decides. For all other fields and providers, the rule is `general`.',
    markdownTable(
      ['rule', 'providers', 'how it compares'],
      Object.entries(versionRules).map(([rule, summary]) => [
        rule,
        rule === 'general' ? 'all others' : providersOf[rule as keyof typeof providersOf].map(code).join(', '),
        summary,
      ]),
    ),
    '**The rule `general`** compares numbers and words, and ignores all other characters. A number is greater than a word. A version\n' +
      'with one of the words `dev`, `snapshot`, `alpha`, `beta`, `pre`, `preview` and `rc` is less than the release. A version with any\n' +
      'other word is greater than the release: `8.0.0-rc1` < `8.0.0` < `8.0.0a`. The rule ignores upper and lower case, and a `v` at the\n' +
      'beginning.',
    '**Epochs.** The service compares epochs only if the version in the query has an epoch. For example,\n' +
      '`version(version) < version("3.0.9")` finds openssl `1:3.0.7-16.el9`. To compare epochs too, write `version("1:3.0.9")` or\n' +
      '`version("0:3.0.9")`.',
    '**Fixed bugs.** A version does not show whether a bug is fixed. Distributions often fix bugs in an old version and increase only\n' +
      'the release number (`3.0.7-15` to `3.0.7-16`).',
    '**Texts that are not versions.** A text without a digit, such as `unknown`, is not a version. A text of more than 256 characters\n' +
      'is not a version either. No comparison matches such a text, not even `!=` and `!(version(value) < version("5.10"))`.',
    '**Speed.** PostgreSQL cannot use an index for comparisons of versions. Add a condition on the name of the package or the fact, so\n' +
      'that PostgreSQL compares only few versions.',
    '## Additions',
    'PuppetDB refuses queries with the following additions. With `NODELEDGER_STRICT_QUERIES=true`, the service refuses them too:',
    Object.values(additions)
      .map((summary) => `- ${summary}`)
      .join('\n'),
    'This page is generated from the tables in `libs/query/operators`. After a change, run\n`NODELEDGER_WRITE_PAGES=1 npx jest test/docs/operators-page`.',
  ].join('\n\n')}\n`;
}
