/** The vectors of one model. Each model has its own table, so a new one fills while the old one is in use. */
export interface VectorTable {
  model: string;
  name: string;
  dims: number;
}
