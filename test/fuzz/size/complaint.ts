import type { Outcome } from './reader-child';

/** Of an answer that refuses something. */
const mostAnswerCharacters = 8_192;
/** Processor time of a case: what any may take, and what each of its bytes adds. Both are many times what is needed. */
const freeMs = 1_000;
const msOfByte = 0.02;

/** What a case may not come to: an error that nobody meant, a long answer, more time than its bytes explain. */
export function complaint({ ending, size, cpuMs }: Outcome): string | undefined {
  if (ending.end === 'broken') return ending.error;
  if (ending.end === 'refused') {
    if (ending.length > mostAnswerCharacters)
      return `the refusal has ${ending.length} characters: ${ending.answer.slice(0, 200)}`;
    if (ending.answer === '') return 'a refusal without a text';
  }
  if (cpuMs > freeMs + msOfByte * size) return `it took ${Math.round(cpuMs)} ms for ${size} bytes`;
  return undefined;
}
