/* The layers above patches, and their order. */
#include "text/text_layers.h"

/*
 * From the lowest. `out` gives the text back what it had beneath a layer, and notes what was there;
 * `in` lays that again. A layer that others may change has a lock, which the caller holds.
 */
static const struct {
	void (*out)(struct module *module, struct range range);
	void (*in)(struct module *module, struct range range);
} layers[] = {
	{ triggers_out, triggers_in },
	{ points_out, points_in },
	{ return_out, return_in },
};

#define LAYERS (sizeof layers / sizeof layers[0])

void layers_out(struct module *module, struct range range)
{
	for (size_t i = LAYERS; i-- > 0;)
		layers[i].out(module, range);
}

void layers_in(struct module *module, struct range range)
{
	for (size_t i = 0; i < LAYERS; i++)
		layers[i].in(module, range);
}
