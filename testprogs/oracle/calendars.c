/* Times by the calendar: broken down, put together, printed and read; without asking for the time.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void)
{
	static const char *const ZONES[] = { "UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT" };
	char text[100];

	for (int z = 0; z < 3; z++) {
		setenv("TZ", ZONES[z], 1);
		tzset();
		for (long t = 0; t < 2000000000; t += 333333333) {
			struct tm parts;

			localtime_r(&t, &parts);
			strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j %U %Z %z", &parts);
			parts.tm_mon += 5;
			parts.tm_isdst = -1;
			printf("%s %ld\n", text, mktime(&parts));
		}
	}
	struct tm parsed;
	memset(&parsed, 0, sizeof parsed);
	printf("%d\n", strptime("7 Mar 2021 12:34:56", "%d %b %Y %T", &parsed) != NULL);
	printf("%ld %s", timegm(&parsed), asctime(&parsed));
	return 0;
}
