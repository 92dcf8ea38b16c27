import { type Limits, overLimit } from '#limits';

/**
 * Each event is stored with the title and the path of its resource. So the events of a resource with a long title can
 * take much more space than the text of the report.
 */
export class EventCount {
  private events = 0;
  private characters = 0;

  constructor(private readonly limits: Limits) {}

  add(resourceCharacters: number): void {
    this.characters += resourceCharacters;
    if (++this.events > this.limits.events) throw overLimit(this.limits, 'events');
    if (this.characters > this.limits.eventCharacters) throw overLimit(this.limits, 'eventCharacters');
  }
}
