/* What the inputs of one message, modal or home hold. Each element registers how to read itself;
   what was typed survives a redraw of the same block. */

/** kept: values of the drawing before, so an update by the app does not wipe what was typed. */
export function createForm(kept = {}) {
  const readers = new Map();
  const keyOf = (block, element) => `${block.block_id}\n${element.action_id}`;
  return {
    register(block, element, read) {
      readers.set(keyOf(block, element), { block_id: block.block_id, action_id: element.action_id, read });
    },
    /** The value before the redraw, or undefined. */
    kept: (block, element) => kept[block.block_id]?.[element.action_id],
    /** {block_id: {action_id: "typed" | ["chosen", …] | {…}}} as the server wants it. */
    values() {
      const out = {};
      for (const { block_id: b, action_id: a, read } of readers.values()) {
        const value = read();
        if (value != null) (out[b] ??= {})[a] = value;
      }
      return out;
    },
  };
}
