import { type MBean, type MBeanSource, ObjectName } from '#jolokia';
import { beanKinds } from './bean-kinds';
import type { BeanGroup } from './bean-table';

const prefixes = { puppetdb: 'puppetlabs.puppetdb.', neutral: 'nodeledger.' } as const;
type BeanDialect = keyof typeof prefixes;

/**
 * The MBeans of a table, and some more. Each is listed under its name in the dialect of the service, and also found under
 * its name in the other one. A meter that is needed for the first time brings a new MBean.
 */
export class ServiceBeans implements MBeanSource {
  private readonly byName = new Map<string, MBean>();
  private readonly beans: MBean[] = [];
  private readonly taken: { readonly group: BeanGroup; members: number }[];

  constructor(
    table: readonly BeanGroup[],
    private readonly dialect: BeanDialect,
    others: readonly MBean[] = [],
  ) {
    this.taken = table.map((group) => ({ group, members: 0 }));
    for (const bean of others) this.add(bean);
  }

  all(): Iterable<MBean> {
    this.takeNew();
    return this.beans;
  }

  find(name: string): MBean | undefined {
    this.takeNew();
    return this.byName.get(name);
  }

  private takeNew(): void {
    for (const taken of this.taken) {
      const members = taken.group.members();
      for (const { values, attributes } of members.slice(taken.members))
        this.add(this.make(taken.group, values, attributes()));
      taken.members = members.length;
    }
  }

  private make(group: BeanGroup, values: readonly string[], attributes: MBean['attributes']): MBean {
    const { className } = beanKinds[group.kind];
    const other = this.dialect === 'puppetdb' ? 'neutral' : 'puppetdb';
    return {
      name: nameOf(group, values, this.dialect),
      alias: nameOf(group, values, other),
      className,
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

function nameOf(
  { domain, name, neutralName = name }: BeanGroup,
  values: readonly string[],
  dialect: BeanDialect,
): ObjectName {
  let at = 0;
  const filled = (dialect === 'neutral' ? neutralName : name).replace(/\{\w+\}/g, () => values[at++] ?? '');
  return ObjectName.parse(`${prefixes[dialect]}${domain}:name=${filled}`);
}
