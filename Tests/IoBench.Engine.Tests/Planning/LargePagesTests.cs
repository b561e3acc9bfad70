using System.Globalization;

namespace IoBench.Engine.Tests;

/// <summary>Changes the number of huge pages of the system and restores it.</summary>
[Collection(nameof(ThrottledDeviceTests))]
public class LargePagesTests
{
    private const string ReservedPagesPath = "/proc/sys/vm/nr_hugepages";

    private static string? GetUnavailableReason() =>
        !OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess || !File.Exists(ReservedPagesPath)
            ? "needs Linux with huge pages, and root"
        : File.ReadAllText(ReservedPagesPath).Trim() != "0" ? "huge pages are reserved here for others"
        : null;

    private sealed class LargePagesFactAttribute : FactAttribute
    {
        public LargePagesFactAttribute() => Skip = GetUnavailableReason();
    }

    private sealed class FreeLargePagesFactAttribute : FactAttribute
    {
        private static readonly string? s_whyNot = GetUnavailableReason() ?? (CanReserve() ? null : "needs memory that is less fragmented");

        public FreeLargePagesFactAttribute() => Skip = s_whyNot;

        private static bool CanReserve()
        {
            File.WriteAllText(ReservedPagesPath, "8");
            try
            {
                return LargePages.GetFreeCount() >= 4;
            }
            finally
            {
                File.WriteAllText(ReservedPagesPath, "0");
            }
        }
    }

    [LargePagesFact]
    public void Run_without_reserved_pages_is_refused_before_creating_its_file()
    {
        var path = Path.Combine(Path.GetTempPath(), $"iobench-{Guid.NewGuid():N}.dat");
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(path)],
            FileSize = 1 << 20,
            LargePages = true,
        };
        var error = Assert.Throws<IoBenchException>(() => TestRun.Run(specification));
        Assert.Equal("IoBench.NoLargePages", error.ErrorId);
        Assert.Contains("vm.nr_hugepages", error.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(path));
    }

    [FreeLargePagesFact]
    public void Reserved_pages_are_used_and_released_and_too_few_are_refused()
    {
        using var file = new TemporaryTestFile(4 << 20);
        try
        {
            File.WriteAllText(ReservedPagesPath, "8");
            var free = LargePages.GetFreeCount() ?? 0;
            Assert.True(free >= 4, $"{free} of 8 huge pages were reserved.");
            using (
                var run = new TestRun(
                    file.CreateSpecification(s =>
                        (s.LargePages, s.ThreadCount, s.WritePercent, s.Duration) = (true, 2, 50, TimeSpan.FromSeconds(1))
                    ),
                    new TestRunOptions { Permissions = new TargetPermissions { OverwriteFiles = [file.Path] } }
                )
            )
            {
                run.Start();
                var least = free;
                while (!run.Wait(TimeSpan.FromMilliseconds(5)))
                    least = Math.Min(least, LargePages.GetFreeCount() ?? 0);
                Assert.Equal(IoResultStatus.Complete, run.GetResult().Status);
                Assert.Equal("yes", run.GetResult().Host["Large pages"]);
                // One large page per thread, which has 8 buffers of 8 KB: 4 for reads and 4 for writes.
                Assert.Equal(free - 2, least);
            }
            Assert.Equal(free, LargePages.GetFreeCount());
            var error = Assert.Throws<IoBenchException>(() =>
                TemporaryTestFile.Run(file.CreateSpecification(s => (s.LargePages, s.ThreadCount) = (true, 64)))
            );
            Assert.Equal("IoBench.NoLargePages", error.ErrorId);
            Assert.Contains(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"needs 64 large pages of 2 MB each for its buffers, but only {free} {(free == 1 ? "is" : "are")} free"
                ),
                error.Message,
                StringComparison.Ordinal
            );
        }
        finally
        {
            File.WriteAllText(ReservedPagesPath, "0");
        }
    }
}
