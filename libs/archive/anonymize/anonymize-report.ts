import type { JsonMap } from './json-tree';
import { anonymizeName, anonymizeLocation } from './anonymize-catalog';
import { change, mapsOf, type Replacements, textOf } from './replacements';

const statuses = new Set(['success', 'failure', 'noop', 'skipped', 'changed', 'unchanged', 'failed', 'audit']);
const cachedStatuses = new Set(['not_used', 'on_failure', 'explicitly_requested']);
const levels = new Set(['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit']);
const categories = new Set(['resources', 'time', 'changes', 'events']);
const sources = new Set(['Puppet', 'Facter']);
/** Names of metrics that are not names of resource types. These names stay unchanged. */
const metricNames = new Set(
  (
    'total success failure failed failed_to_restart restarted changed skipped scheduled out_of_sync corrective_change ' +
    'config_retrieval catalog_application convert_catalog fact_generation node_retrieval plugin_sync startup_time ' +
    'transaction_evaluation'
  ).split(' '),
);
/** Does not show the length of the message that it replaces. */
const hiddenText = '??????????';

export function anonymizeReport(report: JsonMap, to: Replacements): void {
  change(report, 'environment', (name) => to.environment(name));
  change(report, 'transaction_uuid', (uuid) => to.uuid(uuid));
  change(report, 'catalog_uuid', (uuid) => to.uuid(uuid));
  change(report, 'code_id', (id) => (to.rules.rest ? to.pseudonyms.hex('code', id) : id));
  change(report, 'job_id', (id) => to.rest('job', id));
  change(report, 'configuration_version', (version) => to.rest('version', version));
  change(report, 'puppet_version', (version) =>
    /^\d{1,4}(\.\d{1,6}){1,3}$/.test(version) ? version : to.rest('version', version),
  );
  change(report, 'status', (status) => to.known(statuses, status));
  change(report, 'cached_catalog_status', (status) => to.known(cachedStatuses, status));
  for (const resource of mapsOf(report.get('resources'))) anonymizeStatus(resource, to);
  for (const metric of mapsOf(report.get('metrics'))) anonymizeMetric(metric, to);
  for (const log of mapsOf(report.get('logs'))) anonymizeLog(log, to);
}

function anonymizeStatus(resource: JsonMap, to: Replacements): void {
  const path = resource.get('containment_path');
  if (Array.isArray(path))
    resource.set(
      'containment_path',
      to.names(path, (element) => to.contained(element)),
    );
  for (const event of mapsOf(resource.get('events'))) anonymizeEvent(event, to);
  anonymizeLocation(resource, to);
  anonymizeName(resource, 'resource_type', 'resource_title', to);
}

function anonymizeEvent(event: JsonMap, to: Replacements): void {
  const property = textOf(event, 'property');
  const hides = to.rules.message(property);
  change(event, 'message', (text) => (hides ? to.pseudonyms.mixed('message', text) : to.unlessNode(text)));
  change(event, 'property', (name) => to.parameterName(name));
  change(event, 'name', (name) => to.rest('word', name));
  change(event, 'status', (status) => to.known(statuses, status));
  for (const name of ['old_value', 'new_value']) {
    const value = event.get(name);
    if (value !== undefined) event.set(name, to.value(value));
  }
}

function anonymizeMetric(metric: JsonMap, to: Replacements): void {
  const isTime = textOf(metric, 'category') === 'time';
  change(metric, 'category', (category) => to.known(categories, category));
  change(metric, 'name', (name) => {
    if (metricNames.has(name)) return name;
    return isTime ? to.tag(name) : to.rest('word', name);
  });
}

function anonymizeLog(log: JsonMap, to: Replacements): void {
  log.set('message', hiddenText);
  change(log, 'level', (level) => to.known(levels, level));
  change(log, 'source', (source) => anonymizeSource(source, to));
  const tags = log.get('tags');
  if (Array.isArray(tags))
    log.set(
      'tags',
      to.names(tags, (tag) => (levels.has(tag) ? tag : to.tag(tag))),
    );
  anonymizeLocation(log, to);
}

/**
 * Replaces the references in a source such as `/Stage[main]/Ntp/File[/etc/ntp.conf]/content`. Titles may contain
 * slashes and brackets. A source without a leading slash is replaced like a title.
 */
function anonymizeSource(source: string, to: Replacements): string {
  if (sources.has(source)) return source;
  if (!source.startsWith('/')) return to.title('', source);
  let written = '';
  for (let rest = source; rest !== '';) {
    const [whole, type, title] = /^\/([A-Z][\w:]*)\[(.*?)\](?=\/|$)/s.exec(rest) ?? [];
    if (whole !== undefined) written += `/${to.type(type!)}[${to.title(type!, title!)}]`;
    const [part] = whole === undefined ? (/^\/[^/]*/.exec(rest) ?? [rest]) : [whole];
    if (whole === undefined) {
      const name = part.slice(1);
      written += `/${/^[A-Z]/.test(name) ? to.contained(name) : to.parameterName(name)}`;
    }
    rest = rest.slice(part.length);
  }
  return written;
}
