using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Cli.Tests;

/// <summary>
/// Compares every function, structure, and constant of an operating system that IoBench declares with the headers of the system (win32.txt,
/// linux.txt). A new declaration needs a line there: add it to win32.cpp or linux.cpp, which explain how to create the tables. Private
/// constants belong to IoBench and are not checked.
/// </summary>
public class DeclarationTests
{
    private const BindingFlags AllDeclaredMembers =
        BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    // All assemblies that the program loads. The assembly of the module has no declarations (see the last test).
    private static readonly Type[] s_types =
    [
        .. Directory
            .GetFiles(AppContext.BaseDirectory, "*.dll")
            .Where(path =>
                Path.GetFileNameWithoutExtension(path) is var name
                && (
                    name == "iobench"
                    || name.StartsWith("IoBench.", StringComparison.Ordinal) && !name.EndsWith(".Tests", StringComparison.Ordinal)
                )
            )
            .SelectMany(path => Assembly.LoadFrom(path).GetTypes()),
    ];

    private static readonly MethodInfo[] s_declared =
    [
        .. s_types
            .SelectMany(type => type.GetMethods(AllDeclaredMembers))
            .Where(method => !method.Name.Contains("__PInvoke", StringComparison.Ordinal) && GetEntryPoint(method) is not null),
    ];

    private static readonly HashSet<Type> s_declaring = [.. s_declared.Select(method => method.DeclaringType!)];

    private static IEnumerable<Type> InteropTypes =>
        s_types
            .Where(type =>
                type.Name == "IoUringAbi"
                || s_declaring.Contains(type)
                || type.DeclaringType is { } outer && (outer.Name == "IoUringAbi" || s_declaring.Contains(outer))
            )
            .Where(type => type.GetCustomAttribute<CompilerGeneratedAttribute>() is null);

    public static TheoryData<string> Functions() =>
        [.. s_declared.Select(method => $"{method.DeclaringType!.Name}.{method.Name}").Distinct()];

    public static TheoryData<string> Structs() =>
        [.. InteropTypes.Where(type => type.IsValueType).Select(GetTypeName).Concat(DeclarationTable.All.Structs.Keys).Distinct()];

    public static TheoryData<string> Constants() =>
        [.. GetConstantFields().Select(field => $"{GetTypeName(field.DeclaringType!)}.{field.Name}")];

    [InProcessTheory]
    [MemberData(nameof(Functions))]
    public void Function_declaration_matches_the_system_headers(string name)
    {
        foreach (var method in s_declared.Where(method => $"{method.DeclaringType!.Name}.{method.Name}" == name))
        {
            var (library, entryPoint, setsLastError) = GetEntryPoint(method)!.Value;
            Assert.True(DeclarationTable.All.Functions.TryGetValue(entryPoint, out var native), $"{entryPoint} has no line in the tables.");
            Assert.Equal(native.Library, library == "libblkid.so.1" ? "libblkid" : library);
            var parameters = method.GetParameters();
            Assert.True(
                native.IsVariadic ? parameters.Length >= native.ParameterSizes.Length : parameters.Length == native.ParameterSizes.Length,
                $"{entryPoint} has {native.ParameterSizes.Length} parameters."
            );
            for (var i = 0; i < native.ParameterSizes.Length; i++)
                Assert.True(
                    IsPassedAs(parameters[i].ParameterType, native.ParameterSizes[i]),
                    $"Parameter {i} of {entryPoint} has {native.ParameterSizes[i]} bytes."
                );
            Assert.Equal(native.ReturnSize, GetReturnSize(method.ReturnType));
            Assert.True(
                native.SetsLastError || !setsLastError,
                $"{entryPoint} does not set the last error: what is read after it is another call's."
            );
        }
    }

    [InProcessFact]
    public void String_marshalling_matches_the_function_variant()
    {
        foreach (
            var method in s_declared.Where(method => method.GetParameters().Any(parameter => parameter.ParameterType == typeof(string)))
        )
        {
            var isWindows = !GetEntryPoint(method)!.Value.Library.StartsWith("lib", StringComparison.Ordinal);
            Assert.Equal(
                isWindows ? StringMarshalling.Utf16 : StringMarshalling.Utf8,
                method.GetCustomAttribute<LibraryImportAttribute>()!.StringMarshalling
            );
            Assert.Equal(isWindows, GetEntryPoint(method)!.Value.Name.EndsWith('W'));
        }
    }

    [InProcessTheory]
    [MemberData(nameof(Structs))]
    public void Structure_layout_matches_the_system_headers(string name)
    {
        var type = s_types.Single(t => t.IsValueType && GetTypeName(t) == name);
        Assert.True(DeclarationTable.All.Structs.TryGetValue(name, out var native), $"{name} has no line in the tables.");
        Assert.Equal(native.Size, NativeLayout.SizeOf(type));
        Assert.Equal(native.Alignment, NativeLayout.AlignmentOf(type));
        foreach (var field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
        {
            Assert.True(
                DeclarationTable.All.Fields.TryGetValue((name, field.Name), out var there),
                $"{name}.{field.Name} has no line in the tables."
            );
            Assert.Equal(
                (field.Name, there.Offset, there.Size),
                (field.Name, NativeLayout.OffsetOf(field), NativeLayout.SizeOf(field.FieldType))
            );
        }
    }

    [InProcessTheory]
    [MemberData(nameof(Constants))]
    public void Constant_value_matches_the_system_headers(string name)
    {
        var field = GetConstantFields().Single(f => $"{GetTypeName(f.DeclaringType!)}.{f.Name}" == name);
        Assert.True(
            DeclarationTable.All.Constants.TryGetValue((GetTypeName(field.DeclaringType!), field.Name), out var value),
            $"{name} has no line in the tables."
        );
        // The tables are those of x64. The engine has separate values for arm64.
        if (field.IsLiteral || RuntimeInformation.ProcessArchitecture == Architecture.X64)
            Assert.Equal(value, ToBits(field.GetValue(null)!));
    }

    [InProcessFact]
    public void Tables_list_only_existing_declarations()
    {
        Assert.Empty(DeclarationTable.All.Functions.Keys.Except(s_declared.Select(method => GetEntryPoint(method)!.Value.Name)));
        Assert.Empty(
            DeclarationTable.All.Constants.Keys.Except(GetConstantFields().Select(field => (GetTypeName(field.DeclaringType!), field.Name)))
        );
    }

    [InProcessFact]
    public void All_import_attributes_in_the_sources_are_checked()
    {
        var parts = new[] { "Engine", "src", "Public", "Private" }.Select(part => Path.Combine(SampleFiles.RepositoryRoot, part));
        var sources = parts
            .SelectMany(part => Directory.EnumerateFiles(part, "*.cs", SearchOption.AllDirectories))
            .Where(path => !path.Split(Path.DirectorySeparatorChar).Contains("obj"));
        Assert.Equal(sources.Sum(path => Regex.Count(File.ReadAllText(path), @"\[(LibraryImport|DllImport)\(")), s_declared.Length);
    }

    private static IEnumerable<FieldInfo> GetConstantFields() =>
        InteropTypes
            .SelectMany(type => type.GetFields(AllDeclaredMembers))
            .Where(field =>
                field.IsStatic
                && !field.IsPrivate
                && (field.FieldType.IsPrimitive || field.FieldType == typeof(nint) || field.FieldType == typeof(nuint))
            );

    private static (string Library, string Name, bool SetsLastError)? GetEntryPoint(MethodInfo method) =>
        method.GetCustomAttribute<LibraryImportAttribute>() is { } import
            ? (import.LibraryName, import.EntryPoint ?? method.Name, import.SetLastError)
        : method.GetCustomAttribute<DllImportAttribute>() is { } native
            ? (native.Value, string.IsNullOrEmpty(native.EntryPoint) ? method.Name : native.EntryPoint, native.SetLastError)
        : null;

    // A SafeFileHandle stands for a HANDLE, and for a file descriptor.
    private static bool IsPassedAs(Type type, int size) =>
        type == typeof(SafeFileHandle) ? size is 4 or 8
        : type == typeof(string) || type.IsByRef ? size == nint.Size
        : NativeLayout.SizeOf(type) == size;

    // BOOL has four bytes; the generated code converts it to bool.
    private static int GetReturnSize(Type type) =>
        type == typeof(void) ? 0
        : type == typeof(bool) ? sizeof(int)
        : type == typeof(SafeFileHandle) ? nint.Size
        : NativeLayout.SizeOf(type);

    private static ulong ToBits(object value) =>
        value switch
        {
            int number => (uint)number,
            nint number => (ulong)number,
            nuint number => number,
            _ => Convert.ToUInt64(value, System.Globalization.CultureInfo.InvariantCulture),
        };

    private static string GetTypeName(Type type) => type.DeclaringType is null ? type.Name : $"{type.DeclaringType.Name}+{type.Name}";
}
