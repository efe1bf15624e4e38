/** Reports how far a step of the work has come. */
export type Tell = (step: string, done: number, total: number) => void;
