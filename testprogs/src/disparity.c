/*
 * Stereo disparity in the form of SD-VBS: the program of the MadT paper's listing 1. An image is
 * one block: width, height, data. Two 10 x 13 images, the right one shifted by two columns; each
 * shift costs five passes over the padded images. Built with MARKED, it records only findDisparity.
 */
#include <stdio.h>
#include <stdlib.h>
#ifdef MARKED
#include <madt.h>
#else
#define MadT_start()
#define MadT_stop()
#endif

#ifndef ROWS
#define ROWS 10
#define COLS 13
#define WINDOW 2
#define SHIFTS 3
#endif

typedef struct {
	int width;
	int height;
	int data[];
} I2D;

typedef struct {
	int width;
	int height;
	float data[];
} F2D;

#define subsref(a, i, j) a->data[(i)*a->width + (j)]

__attribute__((noinline)) I2D *iMallocHandle(int rows, int cols)
{
	I2D *out = malloc(sizeof(I2D) + sizeof(int) * rows * cols);
	out->height = rows;
	out->width = cols;
	return out;
}

__attribute__((noinline)) F2D *fMallocHandle(int rows, int cols)
{
	F2D *out = malloc(sizeof(F2D) + sizeof(float) * rows * cols);
	out->height = rows;
	out->width = cols;
	return out;
}

__attribute__((noinline)) F2D *fSetArray(int rows, int cols, float value)
{
	F2D *out = fMallocHandle(rows, cols);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++)
			subsref(out, i, j) = value;
	return out;
}

__attribute__((noinline)) I2D *iSetArray(int rows, int cols, int value)
{
	I2D *out = iMallocHandle(rows, cols);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++)
			subsref(out, i, j) = value;
	return out;
}

/* The image inside a border of `border` zeros, moved right by `shift`. */
__attribute__((noinline)) void padarray(I2D *in, int border, int shift, I2D *padded)
{
	for (int i = 0; i < in->height; i++)
		for (int j = 0; j + shift < in->width; j++)
			subsref(padded, i + border, j + border + shift) = subsref(in, i, j);
}

__attribute__((noinline)) void computeSAD(I2D *left, I2D *right, F2D *sad)
{
	for (int i = 0; i < left->height; i++)
		for (int j = 0; j < left->width; j++) {
			int diff = subsref(left, i, j) - subsref(right, i, j);
			subsref(sad, i, j) = diff * diff;
		}
}

__attribute__((noinline)) void integralImage2D2D(F2D *sad, F2D *integral)
{
	for (int j = 0; j < sad->width; j++)
		subsref(integral, 0, j) = subsref(sad, 0, j);
	for (int i = 1; i < sad->height; i++)
		for (int j = 0; j < sad->width; j++)
			subsref(integral, i, j) = subsref(integral, i - 1, j) + subsref(sad, i, j);
	for (int i = 0; i < sad->height; i++)
		for (int j = 1; j < sad->width; j++)
			subsref(integral, i, j) = subsref(integral, i, j - 1) + subsref(integral, i, j);
}

__attribute__((noinline)) void finalSAD(F2D *integral, int window, F2D *result)
{
	for (int i = 0; i < result->height; i++)
		for (int j = 0; j < result->width; j++)
			subsref(result, i, j) = subsref(integral, i + window, j + window)
					+ subsref(integral, i, j) - subsref(integral, i, j + window)
					- subsref(integral, i + window, j);
}

__attribute__((noinline)) void findDisparity(F2D *retSAD, F2D *minSAD, I2D *retDisp, int level,
		int nr, int nc)
{
	for (int i = 0; i < nr; i++)
		for (int j = 0; j < nc; j++) {
			float a = subsref(retSAD, i, j);
			float b = subsref(minSAD, i, j);
			if (a < b) {
				subsref(minSAD, i, j) = a;
				subsref(retDisp, i, j) = level;
			}
		}
}

static void correlate(I2D *left, I2D *right, int level, F2D *minSAD, I2D *retDisp)
{
	int border = WINDOW / 2;
	int rows = ROWS + WINDOW, cols = COLS + WINDOW;
	I2D *leftPadded = iSetArray(rows, cols, 0);
	I2D *moved = iSetArray(rows, cols, 0);
	F2D *sad = fMallocHandle(rows, cols);
	F2D *integral = fMallocHandle(rows, cols);
	F2D *retSAD = fMallocHandle(ROWS, COLS);

	padarray(left, border, 0, leftPadded);
	padarray(right, border, level, moved);
	computeSAD(leftPadded, moved, sad);
	integralImage2D2D(sad, integral);
	finalSAD(integral, WINDOW, retSAD);
	MadT_start();
	findDisparity(retSAD, minSAD, retDisp, level, ROWS, COLS);
	MadT_stop();
	free(retSAD);
	free(integral);
	free(sad);
	free(moved);
	free(leftPadded);
}

int main(void)
{
	I2D *left = iMallocHandle(ROWS, COLS);
	I2D *right = iMallocHandle(ROWS, COLS);
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLS; j++) {
			subsref(left, i, j) = (i * 7 + j * 31) % 61;
			subsref(right, i, j) = (i * 7 + (j + 2) * 31) % 61;
		}
	F2D *minSAD = fSetArray(ROWS, COLS, 255.0f * 255.0f);
	I2D *retDisp = iSetArray(ROWS, COLS, SHIFTS);

	for (int level = 0; level < SHIFTS; level++)
		correlate(left, right, level, minSAD, retDisp);

	int sum = 0;
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLS; j++)
			sum += subsref(retDisp, i, j) * (i + j);
	printf("disparity %d\n", sum);
	return 0;
}
