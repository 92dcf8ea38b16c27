/** The routes are separate from the rest of this lib, so that threads that only log do not load NestJS. */
export { ObserveModule } from './observe.module';
