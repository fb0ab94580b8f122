/*
 * dvdt_layers: the layers of a network, which the program logs:
 *
 *   I1121 04:40:43.020357 12794 caffe.cpp:403]      conv1	forward: 75.8103 ms.
 *
 * The reader also accepts the objects that an experiment point contains in place of such lines:
 *
 *   {"direction":"forward","index":0,"label":"00: conv1","time_ms":75.8103,"time_s":0.0758103,
 *    "timestamp":"1121 04:40:43.020357"}
 *
 * Lines of a log are converted to such objects. Each `forward` line begins the next layer; a `backward` line gets the
 * index of the last `forward` line.
 */
#ifndef DVDT_LAYERS_H
#define DVDT_LAYERS_H

#include "dvdt_call.h"

/*
 * Layers wait for the first call, because its start gives the start of the first layer and the year. If no call comes,
 * they wait until the end of the input, or until they take DVDT_LAYERS_WAIT bytes. Zero-initialise.
 */
struct dvdt_layers {
	struct buf waiting;                  /* objects as in per_layer_info, each followed by a newline */
	size_t at;                           /* number of bytes of `waiting` that have been returned */
	struct fault_location first_waiting; /* where the first waiting layer was read */
	bool go;                             /* the layers need not wait any longer */
	bool any_call;
	int64_t first_call; /* ns */
	bool has_earlier;   /* `earlier` is the start of a preceding file's first call, used when a log has no calls */
	int64_t earlier;
	bool any;      /* a layer with a time was returned: `last` and `month` are set */
	int64_t last;  /* the end time of the last such layer, ns */
	int month;     /* the month of `last` */
	int64_t years; /* how often the year has changed since the first layer */
	int64_t index; /* in a log: number of forward layers so far */
	struct buf text, args;
};

/* Whether the line is the message that Caffe logs at the end of a layer; if so, adds the layer. */
bool dvdt_layers_line(struct dvdt_layers *l, struct str line, struct fault_location at);

/* Adds an element of per_layer_info, an object that is valid JSON. False when it is not a layer. */
bool dvdt_layers_add(struct dvdt_layers *l, struct str object, struct fault_location at);

/* Informs the layers that a call began at `ts`. */
void dvdt_layers_call(struct dvdt_layers *l, int64_t ts);

/* Sets *e to the record of the next layer that need not wait any longer; false when there is no such layer. */
bool dvdt_layers_next(struct dvdt_layers *l, struct reader *r, struct event *e);

/* Empties *l for another run of the program; keeps the allocated memory. */
void dvdt_layers_reset(struct dvdt_layers *l);
void dvdt_layers_free(struct dvdt_layers *l);

#endif
