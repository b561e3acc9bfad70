namespace IoBench.Engine.Tests;

public class FileErrorsTests : TargetFolder
{
    [Theory]
    [InlineData(2), InlineData(5), InlineData(22)]
    public void A_message_of_the_system_has_no_full_stop_of_its_own(int error)
    {
        var message = FileErrors.Message(error);
        Assert.NotEmpty(message);
        Assert.False(message.EndsWith('.') || message.EndsWith('\n'), message);
    }

    [Fact]
    public void A_failure_is_a_sentence()
    {
        Assert.StartsWith(
            "a look at x.dat failed: ",
            FileErrors.FromErrno(Errno.EIO, "a look at", "x.dat").Message,
            StringComparison.Ordinal
        );
        Assert.StartsWith(
            "cutting x.dat to 4096 bytes failed: ",
            FileErrors.FromWindows(1, "cutting", "x.dat", " to 4096 bytes").Message,
            StringComparison.Ordinal
        );
        Assert.Equal(
            "cutting x.dat to 4096 bytes failed: no.",
            FileErrors.FromException(new IOException("no."), "cutting", "x.dat", " to 4096 bytes").Message
        );
    }

    [LinuxFact]
    public void A_file_that_cannot_be_cut_is_named_with_its_size()
    {
        var path = Foreign("big.dat");
        using var handle = PlatformFiles.Current.OpenToRead(path);
        Assert.StartsWith(
            $"cutting {path} to 4096 bytes failed: ",
            Refused("IoBench.FileFailed", () => PlatformFiles.Current.Truncate(handle, path, 4096)).Message,
            StringComparison.Ordinal
        );
    }
}
