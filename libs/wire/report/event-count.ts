import { type Limits, overLimit } from '#limits';

/**
 * Counts the events of a report while the report is read, and the characters that each event repeats from its resource.
 * Each event is stored with the title and the path of its resource. If a resource with a long title has many events,
 * these events take much more space than the text of the report.
 */
export class EventCount {
  private events = 0;
  private characters = 0;

  constructor(private readonly limits: Limits) {}

  /**
   * Counts one event. `resourceCharacters` is the number that the function `resourceCharacters` returns for the
   * resource of the event. Throws `wire.limit` if a limit is exceeded.
   */
  add(resourceCharacters: number): void {
    this.characters += resourceCharacters;
    if (++this.events > this.limits.events) throw overLimit(this.limits, 'events');
    if (this.characters > this.limits.eventCharacters) throw overLimit(this.limits, 'eventCharacters');
  }
}
