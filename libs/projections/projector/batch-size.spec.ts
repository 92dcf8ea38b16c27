import { BatchSize } from './batch-size';

describe('the size of batches', () => {
  const after = (size: BatchSize, batches: number): number => {
    for (let batch = 0; batch < batches; batch++) size.succeeded();
    return size.records;
  };

  it('halves a batch that was too large, and allows one record at least', () => {
    const size = new BatchSize(200);
    size.shrink(30);
    expect(size.records).toBe(15);
    size.shrink(3);
    expect(size.records).toBe(1);
    size.shrink(1);
    expect(size.records).toBe(1);
  });

  it('doubles after ten batches that went well, up to the first size', () => {
    const size = new BatchSize(20);
    expect(after(size, 30)).toBe(20);
    size.shrink(14);
    expect(after(size, 9)).toBe(7);
    expect(after(size, 1)).toBe(14);
    expect(after(size, 10)).toBe(20);
    expect(after(size, 50)).toBe(20);
  });

  it('counts the ten batches again after another one that was too large', () => {
    const size = new BatchSize(20);
    size.shrink(8);
    after(size, 9);
    size.shrink(4);
    expect(after(size, 9)).toBe(2);
    expect(after(size, 1)).toBe(4);
  });
});
