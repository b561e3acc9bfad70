namespace IoBench.Engine.Tests;

public class FileErrorsTests : TargetTestBase
{
    [Theory]
    [InlineData(2), InlineData(5), InlineData(22)]
    public void System_message_has_no_trailing_period(int error)
    {
        var message = FileErrors.GetMessage(error);
        Assert.NotEmpty(message);
        Assert.False(message.EndsWith('.') || message.EndsWith('\n'), message);
    }

    [Fact]
    public void File_error_is_a_full_sentence()
    {
        Assert.StartsWith(
            "checking x.dat failed: ",
            FileErrors.FromErrno(LinuxCalls.EIO, "checking", "x.dat").Message,
            StringComparison.Ordinal
        );
        Assert.StartsWith(
            "truncating x.dat to 4096 bytes failed: ",
            FileErrors.FromWindows(1, "truncating", "x.dat", " to 4096 bytes").Message,
            StringComparison.Ordinal
        );
        Assert.Equal(
            "truncating x.dat to 4096 bytes failed: no.",
            FileErrors.FromException(new IOException("no."), "truncating", "x.dat", " to 4096 bytes").Message
        );
    }

    [LinuxFact]
    public void Truncation_error_names_the_file_and_the_size()
    {
        var path = CreateUnownedFile("big.dat");
        using var handle = PlatformFiles.Current.OpenToRead(path);
        Assert.StartsWith(
            $"truncating {path} to 4096 bytes failed: ",
            AssertRefused("IoBench.FileFailed", () => PlatformFiles.Current.Truncate(handle, path, 4096)).Message,
            StringComparison.Ordinal
        );
    }
}
