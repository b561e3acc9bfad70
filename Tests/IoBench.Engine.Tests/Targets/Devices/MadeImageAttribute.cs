using System.Reflection;
using Xunit.Sdk;

namespace IoBench.Engine.Tests;

/// <summary>
/// An image that a program of its own format makes; skipped with the reason where the program is missing. The command is a shell's, <c>$i</c> is the image,
/// <c>$d</c> a folder with a file in it.
/// </summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public sealed class MadeImageAttribute : DataAttribute
{
    private readonly object[] _data;

    public MadeImageAttribute(string name, string command, bool knownToLibBlkid = true, int megabytes = 512)
    {
        _data = [name, command, knownToLibBlkid, megabytes];
        var program = command.Split(' ')[0];
        Skip =
            !OperatingSystem.IsLinux() ? "needs Linux"
            : Tool.Find(program) is null ? $"needs {program}, which is not on the PATH"
            : null;
    }

    public override IEnumerable<object[]> GetData(MethodInfo testMethod) => [_data];
}
