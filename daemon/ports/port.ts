import {
  allPerProject,
  type Knob,
  type Knobs,
  type KnobValues,
  type PerProject,
  perProject,
  type ProjectKnob,
} from './knob.ts';

/** One togglable behaviour. Its id is, with `/` for `.`, its file in the folder of its pipeline. */
export interface Port<Stage extends string, In, Out, Context, K extends Knobs = Knobs> {
  id: `${Stage}.${string}`;
  /** The ids under which the seeds ask for it; empty for a stage of our own. */
  seeds: readonly string[];
  doc: string; // what a user notices when it is on; shown in Settings and PORTS.md
  switch: Knob<boolean>;
  knobs: K;
  run(input: In, context: Context, knobs: KnobValues<K>): Out | Promise<Out>;
}

/** The part of a port that `reflect ports` and the registry need, whichever pipeline it belongs to. */
export interface PortCard {
  id: string;
  seeds: readonly string[];
  doc: string;
  switch: Knob<boolean>;
  knobs: Knobs;
}

type ProjectPort<P extends PortCard> = Omit<P, 'switch' | 'knobs'> & {
  switch: ProjectKnob<boolean>;
  knobs: PerProject<P['knobs']>;
};

/** A port that a project may switch and tune for itself, because it is read with the project's settings. */
export function projectPort<P extends PortCard>(port: P): ProjectPort<P> {
  return { ...port, switch: perProject(port.switch), knobs: allPerProject(port.knobs) };
}
