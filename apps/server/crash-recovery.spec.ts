import { type CurrentBatch, CrashRecovery } from './crash-recovery';

const batch = (first: number, last: number, partition = 0): CurrentBatch => ({
  records: last - first + 1,
  ranges: [{ partition, first, last }],
});
const recoveryFrom = (crashed: CurrentBatch): CrashRecovery => {
  const recovery = new CrashRecovery();
  recovery.begin(0, crashed);
  recovery.ended('out of memory');
  return recovery;
};
/**
 * Simulates a projector: applies one suspect after the other, and crashes at each poison that it was not told to
 * reject.
 */
function run(recovery: CrashRecovery, poisons: readonly number[], last: number): { ends: number; rejected: number[] } {
  const rejected: number[] = [];
  let ends = 1;
  let next = 0;
  while (next <= last) {
    const { suspectsBefore, reject } = recovery.recoveryPlan;
    const isSuspect = next < (suspectsBefore.get(0) ?? 0);
    const at = isSuspect ? batch(next, next) : batch(next, last);
    recovery.begin(0, at);
    const isRejected = reject.some(({ offset }) => offset === next);
    const dies = poisons.some((offset) => offset >= next && offset <= at.ranges[0]!.last) && !isRejected;
    if (dies) {
      recovery.ended('out of memory');
      ends += 1;
      if (ends > 100) throw new Error('it never comes past');
      continue;
    }
    if (isRejected) rejected.push(next);
    recovery.committed(0, at.records);
    next += at.records;
  }
  return { ends, rejected };
}

describe('CrashRecovery', () => {
  it('asks for no recovery where nothing has happened', () => {
    const recovery = new CrashRecovery();
    recovery.begin(0, batch(0, 9));
    recovery.committed(0, 10);
    expect(recovery.recoveryPlan).toEqual({ suspectsBefore: new Map(), reject: [] });
    expect(recovery.recovering).toBe(false);
  });

  it('has the records of the batch applied one by one, and is done after them', () => {
    const recovery = recoveryFrom({
      records: 5,
      ranges: [
        { partition: 0, first: 4, last: 6 },
        { partition: 3, first: 10, last: 11 },
      ],
    });
    expect(recovery.recoveryPlan.suspectsBefore).toEqual(
      new Map([
        [0, 7],
        [3, 12],
      ]),
    );
    for (const [partition, offset] of [
      [0, 4],
      [0, 5],
      [0, 6],
      [3, 10],
    ] as const) {
      recovery.begin(0, batch(offset, offset, partition));
      recovery.committed(0, 1);
      expect(recovery.recovering).toBe(true);
    }
    recovery.begin(0, batch(11, 11, 3));
    recovery.committed(0, 1);
    expect(recovery.recovering).toBe(false);
  });

  it('rejects a record that was alone at a second end, not at its first', () => {
    const recovery = recoveryFrom(batch(7, 7));
    expect(recovery.recoveryPlan.reject).toEqual([]);
    recovery.begin(0, batch(7, 7));
    recovery.ended('out of memory');
    expect(recovery.recoveryPlan.reject).toEqual([{ partition: 0, offset: 7, reason: 'out of memory' }]);
    recovery.begin(0, batch(7, 7));
    recovery.committed(0, 1);
    expect(recovery.recoveryPlan).toEqual({ suspectsBefore: new Map(), reject: [] });
  });

  it('comes past several poisons of one batch, each with one more end, and rejects nothing else', () => {
    expect(run(recoveryFrom(batch(0, 199)), [3, 4, 150], 199)).toEqual({ ends: 4, rejected: [3, 4, 150] });
  });

  it('keeps suspects until something at or behind them is committed, whoever applied them', () => {
    const recovery = recoveryFrom(batch(4, 6));
    recovery.begin(0, batch(4, 4));
    recovery.ended('out of memory');
    // Batches of other partitions do not change the suspects. Crashes without a current batch do not, either.
    recovery.begin(0, batch(90, 99, 3));
    recovery.committed(0, 10);
    recovery.failed();
    expect(recovery.ended('out of memory')).toBe(0);
    expect(recovery.recoveryPlan).toEqual({
      suspectsBefore: new Map([[0, 7]]),
      reject: [{ partition: 0, offset: 4, reason: 'out of memory' }],
    });
    recovery.begin(0, batch(20, 22));
    recovery.committed(0, 3);
    expect(recovery.recoveryPlan).toEqual({ suspectsBefore: new Map(), reject: [] });
  });

  it('suspects the batches of all slots, and rejects no record while two slots work', () => {
    const recovery = new CrashRecovery();
    recovery.begin(0, batch(4, 6));
    recovery.begin(1, batch(9, 9, 1));
    expect(recovery.ended('out of memory')).toBe(4);
    const suspectsBefore = new Map([
      [0, 7],
      [1, 10],
    ]);
    expect(recovery.recoveryPlan).toEqual({ suspectsBefore, reject: [] });
    recovery.begin(0, batch(4, 4));
    recovery.begin(1, batch(9, 9, 1));
    expect(recovery.ended('out of memory')).toBe(2);
    expect(recovery.recoveryPlan).toEqual({ suspectsBefore, reject: [] });
    recovery.begin(0, batch(4, 4));
    recovery.begin(1, batch(9, 9, 1));
    recovery.committed(1, 1);
    expect(recovery.working).toBe(true);
    recovery.ended('out of memory');
    expect(recovery.recoveryPlan.reject).toEqual([{ partition: 0, offset: 4, reason: 'out of memory' }]);
  });

  it('suspects no records that another projector has applied', () => {
    const recovery = new CrashRecovery();
    recovery.begin(0, batch(4, 4));
    recovery.begin(1, batch(9, 12, 1));
    recovery.ended('out of memory');
    recovery.reached(
      new Map([
        [0, 4],
        [1, 13],
        [2, 99],
      ]),
    );
    expect(recovery.recoveryPlan.suspectsBefore).toEqual(new Map([[0, 5]]));
    recovery.begin(0, batch(4, 4));
    recovery.ended('out of memory');
    expect(recovery.recoveryPlan.reject).toHaveLength(1);
    recovery.reached(new Map([[0, 5]]));
    expect(recovery.recoveryPlan).toEqual({ suspectsBefore: new Map(), reject: [] });
    expect(recovery.recovering).toBe(false);
  });

  it('suspects no record when the end was reported, or came without a batch', () => {
    const recovery = new CrashRecovery();
    recovery.begin(0, batch(1, 3));
    recovery.failed();
    expect(recovery.ended('out of memory')).toBe(0);
    expect(recovery.recovering).toBe(false);
  });

  it('waits longer where ends follow each other and no healthy record is applied', () => {
    const recovery = new CrashRecovery();
    for (let offset = 0; recovery.isQuick; offset++) {
      if (offset > 100) throw new Error('it never slows down');
      for (const turn of ['suspected', 'rejected']) {
        recovery.begin(0, batch(offset, offset));
        recovery.ended(turn);
      }
      recovery.begin(0, batch(offset, offset));
      recovery.committed(0, 1);
    }
    recovery.begin(0, batch(500, 500));
    recovery.committed(0, 1);
    expect(recovery.isQuick).toBe(true);
  });

  it('still suspects the rest of a batch of which only the first records were applied', () => {
    const recovery = recoveryFrom(batch(0, 3));
    recovery.begin(0, batch(0, 3));
    recovery.committed(0, 2);
    expect(recovery.recoveryPlan.suspectsBefore).toEqual(new Map([[0, 4]]));
  });
});
