/** The sum of products of two lists of equal length: for vectors of length one, their cosine. */
export function dot(one: Float32Array, other: Float32Array): number {
  let [sum, second, third, fourth] = [0, 0, 0, 0]; // four, because each addition waits for the one before it
  const whole = one.length - (one.length % 4);
  for (let at = 0; at < whole; at += 4) {
    sum += (one[at] as number) * (other[at] as number);
    second += (one[at + 1] as number) * (other[at + 1] as number);
    third += (one[at + 2] as number) * (other[at + 2] as number);
    fourth += (one[at + 3] as number) * (other[at + 3] as number);
  }
  for (let at = whole; at < one.length; at++) sum += (one[at] as number) * (other[at] as number);
  return sum + second + third + fourth;
}
