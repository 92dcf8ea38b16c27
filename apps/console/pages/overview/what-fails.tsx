import { hrefTo, hrefWith, type Address } from '../../address/address';
import { Card, Choice } from '../../parts/card';
import { resourceText } from '../../parts/resource-name';
import { Answered } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { Mark } from '../../parts/status';
import { count, counted, excerpt, fileAndLine, visible } from '../../parts/text';
import { NodeName } from '../../parts/node-name';
import { Moment } from '../../parts/time';
import { noClass } from '../../filters/node-filter';
import type { Cause, FailureGroups, Failures } from '../../service/shapes';
import { useAnswer } from '../../service/use-answer';

type By = 'cause' | 'class' | 'node';

export function WhatFails({
  failures,
  env,
  address,
}: {
  readonly failures: Failures;
  readonly env: string | undefined;
  readonly address: Address;
}) {
  const by = (address.params.get('by') ?? 'cause') as By;
  if (failures.causes.length === 0)
    return (
      <section class="card quiet-line">
        <Mark tone="good">Nothing fails in the latest run of any node.</Mark>
      </section>
    );
  return (
    <Card
      title="What fails"
      note={failures.complete ? 'latest run of each node' : 'latest run of each node; too many failures to count all'}
      end={
        <Choice
          label="Group by"
          chosen={by}
          href={(name) => hrefWith(address, { by: name === 'cause' ? undefined : name })}
          options={[
            ['cause', 'Cause'],
            ['class', 'Class'],
            ['node', 'Node'],
          ]}
        />
      }
      footer={
        by === 'cause' &&
        failures.others > 0 && (
          <a class="link" href={hrefTo(['events'], { status: 'failure', env })}>
            {counted(failures.others, 'further cause')}
          </a>
        )
      }
    >
      {by === 'cause' ? <CauseTable causes={failures.causes} env={env} /> : <GroupTable by={by} env={env} />}
    </Card>
  );
}

function CauseTable({ causes, env }: { readonly causes: readonly Cause[]; readonly env: string | undefined }) {
  return (
    <table class="fold causes">
      <TableHead columns={['Resource and message', ['Affects', 'num'], 'Since']} />
      <tbody>
        {causes.map((cause) => (
          <tr key={cause.key} data-row>
            <td class="wide">
              <a class="mono strong" href={hrefTo(['reports', cause.latest_report])}>
                <bdi>
                  {cause.resource_type === null
                    ? 'The run itself'
                    : resourceText(cause.resource_type, cause.resource_title ?? '')}
                </bdi>
              </a>
              <div class="small muted">
                <bdi>{visible(excerpt(cause.message, 120))}</bdi>
                {fileAndLine(cause.file, cause.line) !== undefined && (
                  <>
                    {' · '}
                    <span class="mono nowrap">{visible(fileAndLine(cause.file, cause.line)!)}</span>
                  </>
                )}
              </div>
            </td>
            <td class="num main nowrap">
              <a class="link" href={nodesOf(cause, env)}>
                {counted(cause.nodes, 'node')}
              </a>
            </td>
            <td class="nowrap">
              {!cause.since_exact && 'before '}
              <Moment time={cause.since} />
              <div class="xs muted">{cause.runs > 1 ? `${count(cause.runs)} runs in a row` : 'one run'}</div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function nodesOf(cause: Cause, env: string | undefined): string {
  const [only] = cause.certnames;
  return cause.nodes === 1 && only !== undefined
    ? hrefTo(['nodes', only])
    : hrefTo(['nodes'], { cause: cause.key, env });
}

function GroupTable({ by, env }: { readonly by: 'class' | 'node'; readonly env: string | undefined }) {
  const where = env === undefined ? undefined : JSON.stringify({ environment: [env] });
  const groups = useAnswer<FailureGroups>('nodeledger/v1/failures/groups', { by, where, limit: 20 }, { every: 15 });
  return (
    <Answered answer={groups} lines={3}>
      {(found) => (
        <>
          <table class="fold causes">
            <TableHead columns={by === 'class' ? ['Class', 'Resources', ['Affects', 'num']] : ['Node', 'Resources']} />
            <tbody>
              {found.groups.map(({ name, nodes, resources, examples }) => (
                <tr key={name} data-row>
                  <td class="wide">
                    {by === 'node' ? (
                      <NodeName name={name} />
                    ) : name === '' ? (
                      'no class'
                    ) : (
                      <a class="mono strong" href={hrefTo(['events'], { status: 'failure', class: name, env })}>
                        <bdi>{visible(name)}</bdi>
                      </a>
                    )}
                  </td>
                  <td class="small muted wide">
                    <bdi>{visible(examples.map((one) => (one === '' ? 'the run itself' : one)).join(', '))}</bdi>
                    {resources > examples.length && ` and ${count(resources - examples.length)} more`}
                  </td>
                  {by === 'class' && (
                    <td class="num main nowrap">
                      <a class="link" href={hrefTo(['nodes'], { failing_class: name === '' ? noClass : name, env })}>
                        {counted(nodes, 'node')}
                      </a>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
          {found.others > 0 && (
            <p class="in small muted">
              {by === 'class'
                ? counted(found.others, 'further class', 'further classes')
                : counted(found.others, 'further node')}
            </p>
          )}
        </>
      )}
    </Answered>
  );
}
