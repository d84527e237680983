#pragma once
// Nothing to call: linking this target into an executable is enough. See idle_dispatch.c.
