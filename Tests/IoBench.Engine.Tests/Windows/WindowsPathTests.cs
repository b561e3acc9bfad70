namespace IoBench.Engine.Tests;

public class WindowsPathTests
{
    [Theory]
    [InlineData(@"T:\SQLData\prod.mdf:s")]
    [InlineData(@"\\?\T:\SQLData\prod.mdf:s")]
    [InlineData(@"\\?\UNC\server\share\prod.mdf:s")]
    [InlineData(@"\\server\share\prod.mdf:s:$DATA")]
    [InlineData(@"\\?\Volume{00000000-0000-0000-0000-000000000001}\prod.mdf::$DATA")]
    public void A_stream_within_a_file_is_refused_in_every_form(string path) =>
        Assert.Contains("stream", WindowsPath.WhyNot(path), StringComparison.Ordinal);

    [Theory]
    [InlineData(@"\\.\pipe\sql\query")]
    [InlineData(@"\\server\pipe\sql\query")]
    [InlineData(@"\\?\UNC\server\PIPE\x")]
    [InlineData(@"\\server\mailslot\x")]
    [InlineData(@"\\?\pipe\x")]
    [InlineData(@"\\?\GLOBALROOT\Device\NamedPipe\x")]
    [InlineData(@"\\.\COM1")]
    [InlineData(@"\\.\CON")]
    [InlineData(@"\\.\NUL")]
    [InlineData(@"\\.\Tape0")]
    public void Pipes_ports_and_names_of_devices_are_refused_by_their_name_alone(string path) => Assert.NotNull(WindowsPath.WhyNot(path));

    [Theory]
    [InlineData(@"\\?\T:", @"\\.\T:")]
    [InlineData(@"\\?\PhysicalDrive0", @"\\.\PhysicalDrive0")]
    public void A_device_written_as_a_file_is_refused_with_its_right_name(string path, string right) =>
        Assert.Contains(right, WindowsPath.WhyNot(path), StringComparison.Ordinal);

    [Theory]
    [InlineData(@"T:\x.dat")]
    [InlineData(@"\\?\T:\x.dat")]
    [InlineData(@"\\server\share\x.dat")]
    [InlineData(@"\\server\pipeline\x.dat")]
    [InlineData(@"\\?\UNC\server\share\x.dat")]
    [InlineData(@"\\?\Volume{00000000-0000-0000-0000-000000000001}\x.dat")]
    [InlineData(@"\\.\PhysicalDrive12")]
    [InlineData(@"\\.\T:")]
    [InlineData(@"C:\ClusterStorage\Volume1\x.dat")]
    public void Files_disks_and_volumes_may_be_looked_at(string path) => Assert.Null(WindowsPath.WhyNot(path));

    [Fact]
    public void Long_paths_are_written_so_that_every_call_takes_them()
    {
        var name = new string('n', 300);
        Assert.Equal(@"\\?\T:\" + name, WindowsPath.ForCalls(@"T:\" + name));
        Assert.Equal(@"\\?\UNC\server\share\" + name, WindowsPath.ForCalls(@"\\server\share\" + name));
        Assert.Equal(@"\\?\T:\" + name, WindowsPath.ForCalls(@"\\?\T:\" + name));
        Assert.Equal(@"T:\x.dat", WindowsPath.ForCalls(@"T:\x.dat"));
        Assert.All(
            [@"T:\" + name, @"\\server\share\" + name],
            path => Assert.Equal(path, WindowsPath.ForPeople(WindowsPath.ForCalls(path)))
        );
    }
}
