// iostream: formatting and reading, manipulators, string streams; locale facets of libstdc++.
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

int main()
{
	std::ostringstream out;
	std::istringstream in("12 abc 3.5 ff 1 rest of the line\nsecond\n");
	std::string word, line;
	int number = 0, hexadecimal = 0;
	double real = 0;
	bool flag = false;

	out << std::setw(8) << std::setfill('*') << 42 << ' ' << std::fixed << std::setprecision(3)
		<< 2.0 / 3 << ' ' << std::hex << std::showbase << 255 << ' ' << std::boolalpha << true
		<< std::left << std::setw(6) << 'c' << "end";
	in >> number >> word >> real >> std::hex >> hexadecimal >> flag;
	std::getline(in, line);
	std::cout << out.str() << '|' << number << word << real << hexadecimal << flag << line
			  << std::endl;
	while (std::getline(in, line))
		std::cout << line.size() << '\n';
	std::cerr << in.eof() << in.fail() << '\n';
	return 0;
}
