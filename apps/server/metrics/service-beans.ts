import { type MBean, type MBeanSource, ObjectName } from '#jolokia';
import { beanKinds } from './bean-kinds';
import type { BeanGroup, Metric } from './metric';

const prefixes = { puppetdb: 'puppetlabs.puppetdb.', neutral: 'nodeledger.' } as const;
type BeanDialect = keyof typeof prefixes;

/**
 * Lists MBeans by their names in the service's dialect. `find` also accepts names in the other dialect. When a meter is
 * created later, its MBean appears in the list.
 */
export class ServiceBeans implements MBeanSource {
  private readonly byName = new Map<string, MBean>();
  private readonly beans: MBean[] = [];
  private readonly groups: { readonly group: BeanGroup; members: number }[];

  constructor(
    table: readonly Metric[],
    private readonly dialect: BeanDialect,
    others: readonly MBean[] = [],
  ) {
    this.groups = table.flatMap(({ beans }) => (beans === undefined ? [] : [{ group: beans, members: 0 }]));
    for (const bean of others) this.add(bean);
  }

  all(): Iterable<MBean> {
    this.addNew();
    return this.beans;
  }

  find(name: string): MBean | undefined {
    this.addNew();
    return this.byName.get(name);
  }

  private addNew(): void {
    for (const known of this.groups) {
      const members = known.group.members();
      for (const { labels, attributes } of members.slice(known.members))
        this.add(this.make(known.group, labels, attributes()));
      known.members = members.length;
    }
  }

  private make(group: BeanGroup, labels: readonly string[], attributes: MBean['attributes']): MBean {
    const other = this.dialect === 'puppetdb' ? 'neutral' : 'puppetdb';
    return {
      name: nameOf(group, labels, this.dialect),
      alias: nameOf(group, labels, other),
      className: beanKinds[group.kind].className,
      description: 'Information on the management interface of the MBean',
      attributes,
    };
  }

  private add(bean: MBean): void {
    this.beans.push(bean);
    this.byName.set(String(bean.name), bean);
    if (bean.alias !== undefined) this.byName.set(String(bean.alias), bean);
  }
}

/** A label replaces `{pool}` unchanged, and `{Pool}` with its first letter in upper case. */
function nameOf({ name, neutralName = name }: BeanGroup, labels: readonly string[], dialect: BeanDialect): ObjectName {
  let at = 0;
  const filled = (dialect === 'neutral' ? neutralName : name).replace(/\{(\w)\w*\}/g, (_, first: string) => {
    const label = labels[at++] ?? '';
    return first === first.toUpperCase() ? label.charAt(0).toUpperCase() + label.slice(1) : label;
  });
  return ObjectName.parse(prefixes[dialect] + filled.replace(':', ':name='));
}
