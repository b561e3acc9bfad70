namespace IoBench.Engine.Tests;

public class WindowsPathTests
{
    [Theory]
    [InlineData(@"T:\SQLData\prod.mdf:s")]
    [InlineData(@"\\?\T:\SQLData\prod.mdf:s")]
    [InlineData(@"\\?\UNC\server\share\prod.mdf:s")]
    [InlineData(@"\\server\share\prod.mdf:s:$DATA")]
    [InlineData(@"\\?\Volume{00000000-0000-0000-0000-000000000001}\prod.mdf::$DATA")]
    public void File_stream_is_refused_in_every_path_form(string path) =>
        Assert.Contains("stream", WindowsPath.GetRefusalReason(path), StringComparison.Ordinal);

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
    public void Pipes_ports_and_device_names_are_refused_by_name(string path) => Assert.NotNull(WindowsPath.GetRefusalReason(path));

    [Theory]
    [InlineData(@"\\?\T:", @"\\.\T:")]
    [InlineData(@"\\?\PhysicalDrive0", @"\\.\PhysicalDrive0")]
    public void Device_in_the_form_of_a_file_is_refused_with_its_correct_name(string path, string right) =>
        Assert.Contains(right, WindowsPath.GetRefusalReason(path), StringComparison.Ordinal);

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
    public void Files_disks_and_volumes_are_accepted(string path) => Assert.Null(WindowsPath.GetRefusalReason(path));

    [Fact]
    public void Long_paths_are_converted_to_native_form_and_back()
    {
        var name = new string('n', 300);
        Assert.Equal(@"\\?\T:\" + name, WindowsPath.ToNativePath(@"T:\" + name));
        Assert.Equal(@"\\?\UNC\server\share\" + name, WindowsPath.ToNativePath(@"\\server\share\" + name));
        Assert.Equal(@"\\?\T:\" + name, WindowsPath.ToNativePath(@"\\?\T:\" + name));
        Assert.Equal(@"T:\x.dat", WindowsPath.ToNativePath(@"T:\x.dat"));
        Assert.All(
            [@"T:\" + name, @"\\server\share\" + name],
            path => Assert.Equal(path, WindowsPath.ToDisplayPath(WindowsPath.ToNativePath(path)))
        );
    }
}
