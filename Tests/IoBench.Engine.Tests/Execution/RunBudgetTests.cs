using IoBench.Engine;

namespace IoBench.Tests;

public class RunBudgetTests
{
    [Fact]
    public void More_memory_than_there_is_is_said_before_the_run()
    {
        using var file = new TestFile(64 << 20);
        var error = Assert.Throws<IoBenchException>(() => TestFile.Run(file.Specification(s =>
            (s.ThreadCount, s.OutstandingIO, s.BlockSize, s.Backend) = (256, 256, 64 << 20, IoBackendKind.Null))));
        Assert.Equal("IoBench.NotEnoughMemory", error.ErrorId);
        Assert.Contains("256 threads, 65536 outstanding", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Many_threads_and_outstanding_run_together()
    {
        using var file = new TestFile(1 << 20);
        var result = TestFile.Run(file.Specification(s => (s.ThreadCount, s.OutstandingIO, s.BlockSize) = (256, 64, 512)));
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(256 * 64, result.TotalOutstanding);
        Assert.True(result.IOCount > 0);
    }
}
