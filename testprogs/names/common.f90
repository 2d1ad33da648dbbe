! Common blocks, generic interfaces and saved variables of one name.
module counts_mod
  implicit none
  interface count_up
    module procedure count_whole, count_real
  end interface
contains
  integer function count_whole(x)
    integer, intent(in) :: x
    integer, save :: kept(3) = 0
    kept(mod(x, 3) + 1) = kept(mod(x, 3) + 1) + x
    count_whole = sum(kept)
  end function
  integer function count_real(x)
    real, intent(in) :: x
    real, save :: kept(5) = 0
    kept(mod(int(x), 5) + 1) = kept(mod(int(x), 5) + 1) + x
    count_real = int(sum(kept))
  end function
end module

program common
  use counts_mod, only: count_up
  implicit none
  integer :: shared(7), i, total
  common /board/ shared
  total = 0
  do i = 1, 8
    shared(mod(i, 7) + 1) = i
    total = total + count_up(i) + count_up(real(i))
  end do
  if (total + shared(1) < 0) stop 1
end program
