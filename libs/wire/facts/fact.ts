import { hash } from 'node:crypto';
import type { FactLeaf, JsonText, WireFact } from '../documents';
import { spellNumberInAnswers, spellNumberPlain } from '../json/numbers';
import { answerStyle, rewrite, storedStyle } from '../json/rewrite';
import { trait } from '../json/scan';
import { encodeString } from '../json/strings';
import { leavesOf } from './leaves';

export class Fact implements WireFact {
  readonly digest: string;

  constructor(
    readonly name: string,
    /** Valid JSON text of the value. `traits` are the traits that the scan found in this text. */
    private readonly raw: JsonText,
    private readonly traits: number,
  ) {
    this.digest = hash('sha1', `${name}\0${raw}`, 'binary').slice(0, 8);
  }

  get member(): JsonText {
    return `${encodeString(this.name)}:${this.raw}`;
  }

  value(): JsonText {
    return this.traits === 0 ? this.raw : rewrite(this.raw, 0, storedStyle);
  }

  spelled(): JsonText | undefined {
    if ((this.traits & trait.respelt) === 0) return undefined;
    let apart = false;
    const spell = (number: string): string => {
      const spelled = spellNumberInAnswers(number);
      apart ||= spelled !== spellNumberPlain(number);
      return spelled;
    };
    const text = rewrite(this.raw, 0, { ...answerStyle, spell });
    return apart ? text : undefined;
  }

  leaves(): Iterable<FactLeaf> {
    return leavesOf(this.name, this.raw);
  }
}
