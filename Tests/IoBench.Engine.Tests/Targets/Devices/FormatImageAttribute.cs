using System.Reflection;
using Xunit.Sdk;

namespace IoBench.Engine.Tests;

/// <summary>
/// Data of a test: an image that a format's own tool creates. It is skipped, with the reason, if the tool is missing. In the shell command,
/// <c>$i</c> is the image and <c>$d</c> is a folder with a file.
/// </summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public sealed class FormatImageAttribute : DataAttribute
{
    private readonly object[] _data;

    public FormatImageAttribute(string name, string command, bool knownToLibBlkid = true, int megabytes = 512)
    {
        _data = [name, command, knownToLibBlkid, megabytes];
        var program = command.Split(' ')[0];
        Skip =
            !OperatingSystem.IsLinux() ? "needs Linux"
            : ProgramFinder.FindOnPath(program) is null ? $"needs {program}, which is not on the PATH"
            : null;
    }

    public override IEnumerable<object[]> GetData(MethodInfo testMethod) => [_data];
}
