#pragma once
// Nothing to call: linking this target into an executable is enough. See quiet_dispatch.c.
