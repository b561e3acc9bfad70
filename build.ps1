<#
.SYNOPSIS
    Builds, tests and packs IoBench. Needs pwsh and the .NET SDK; says what else a task is missing.
.EXAMPLE
    ./build.ps1 -Task Build, Test
.EXAMPLE
    ./build.ps1 -Task Package

    Makes the packages, and installs each of them to see that it works.
.EXAMPLE
    ./build.ps1 -Task Build, Sign -CertificateThumbprint 0123456789ABCDEF0123456789ABCDEF01234567

    Signs scripts, assemblies and programs of the project with a code-signing certificate of this Windows account.
.EXAMPLE
    ./build.ps1 -Task Build -HelpRoot https://wiki.example.org/iobench/

    Builds a module whose Get-Help -Online opens your copy of docs/en-US at that address.
#>
[CmdletBinding()]
[Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSReviewUnusedParameter', '', Justification = 'The tasks use them.')]
param(
    [ValidateSet('Build', 'Test', 'Analyze', 'Help', 'Sign', 'Package', 'Bench')]
    [string[]] $Task = 'Build',

    [ValidateSet('Release', 'Debug')]
    [string] $Configuration = 'Release',

    # Package: what to make.
    [ValidateSet('Module', 'Tool', 'Program')]
    [string[]] $Part = @('Module', 'Tool', 'Program'),

    # Package: the systems that a program is made for.
    [ValidateSet('win-x64', 'linux-x64', 'win-arm64', 'linux-arm64')]
    [string[]] $Runtime = @('win-x64', 'linux-x64', 'win-arm64', 'linux-arm64'),

    # Package: the folder for it, which is emptied.
    [string] $OutputPath = (Join-Path $PSScriptRoot 'artifacts' 'package'),

    # Package: what is built already is packed as it is.
    [switch] $NoBuild,

    # Package: pack the module without the help of its cmdlets. Get-Help then shows only their syntax.
    [switch] $WithoutHelp,

    # Sign: which code-signing certificate of this account, and who stamps the time, so that signatures outlive it.
    [ValidatePattern('^[0-9A-Fa-f]{40}$')]
    [string] $CertificateThumbprint,

    [ValidatePattern('^https?://')]
    [string] $TimestampServer = 'http://timestamp.digicert.com',

    # Build, Help: the address that Get-Help -Online opens, followed by the name of the cmdlet. The default is in Directory.Build.props.
    [ValidatePattern('^https?://')]
    [string] $HelpRoot
)

$ErrorActionPreference = 'Stop'
Set-StrictMode -Version 3.0
$root = $PSScriptRoot
$artifacts = Join-Path $root 'artifacts'
$helpFile = Join-Path $root 'en-US' 'IoBench-Help.xml'
$platyPS = 'Microsoft.PowerShell.PlatyPS'

function Invoke-Tool {
    <# Runs a program and stops the build when it fails. #>
    param([string] $Program, [string[]] $Argument)

    if (-not (Get-Command $Program -CommandType Application -ErrorAction Ignore)) {
        $where = $Program -eq 'dotnet' ? 'the .NET SDK 10 (https://dot.net)' : $Program -eq 'pwsh' ? 'PowerShell 7.4 or later (https://aka.ms/powershell)' : $Program
        throw "$Program is not on the PATH. Install $where."
    }
    & $Program @Argument
    if ($LASTEXITCODE -ne 0) {
        throw "$Program $($Argument -join ' ') ended with exit code $LASTEXITCODE."
    }
}

function Assert-Module {
    param([string] $Name, [string] $For)

    if (-not (Get-Module -ListAvailable -Name $Name)) {
        throw "$For needs the module $Name. Install it: Install-PSResource $Name"
    }
}

function Invoke-BuildTask {
    $address = $HelpRoot ? @("-p:HelpRoot=$HelpRoot") : @()
    Invoke-Tool dotnet (@('build', (Join-Path $root 'IoBench.slnx'), '-c', $Configuration, '-v', 'q') + $address)
    Update-AboutTopic
    if (Get-Module -ListAvailable -Name $platyPS) {
        Invoke-HelpTask
    } elseif (Test-Path -LiteralPath $helpFile) {
        Write-Warning "IoBench did not update en-US/IoBench-Help.xml, because the module $platyPS is not installed. If docs/en-US has changed, Get-Help shows old text. To update it, run Install-PSResource $platyPS, and then ./build.ps1 -Task Help."
    } else {
        Write-Warning "The module has no help, because the module $platyPS is not installed. Get-Help shows only the syntax of the cmdlets. To add the help, run Install-PSResource $platyPS, and then ./build.ps1 -Task Help. The same text is in docs/en-US."
    }
}

function Update-AboutTopic {
    <# Get-Help about_IoBench shows plain text, without the headings of Markdown. Git has this file too, because it needs no tool and a plain dotnet build does not make it. #>
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'A step of a task.')]
    param()

    $about = Get-Content -Path (Join-Path $root 'docs' 'en-US' 'about_IoBench.md')
    $about -replace '^# about_IoBench', "TOPIC`n    about_IoBench" -replace '^## ' | Set-Content -Path (Join-Path $root 'en-US' 'about_IoBench.help.txt')
}

function Invoke-TestTask {
    # The tests of the module too: they bring their own PowerShell and Pester.
    Invoke-Tool dotnet @('test', (Join-Path $root 'IoBench.slnx'), '-c', $Configuration)
}

function Invoke-AnalyzeTask {
    Assert-Module -Name PSScriptAnalyzer -For 'The task Analyze'
    Import-Module (Join-Path $root 'IoBench.psd1')
    $findings = @(& (Join-Path $root 'Tests' 'Module' 'Get-AnalyzerFinding.ps1'))
    if ($findings.Count -gt 0) {
        $findings
        throw "PSScriptAnalyzer has $($findings.Count) findings."
    }
}

function Set-ExampleCode {
    <# PlatyPS leaves an example's code in its text, with the fences of Markdown: Get-Help shows code where the page has code. #>
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'A step of a task.')]
    param([xml] $Help)

    foreach ($example in $Help.GetElementsByTagName('command:example')) {
        $code = $example.GetElementsByTagName('dev:code')[0]
        $remarks = $example.GetElementsByTagName('dev:remarks')[0]
        $lines = foreach ($paragraph in @($example.GetElementsByTagName('maml:para'))) {
            $null = $paragraph.ParentNode.RemoveChild($paragraph)
            $text = $paragraph.InnerText.Trim([char[]]@(0x80, 10, 13, 32))
            if ($text -match '(?s)^```\w*\n(?<code>.*?)\n?```$') {
                $Matches.code
            } elseif ($text) {
                $null = $remarks.AppendChild($paragraph)
            }
        }
        $code.InnerText = $lines -join "`n`n"
    }
}

function Add-DefaultValue {
    <# PlatyPS leaves out what holds where a parameter is not given. #>
    param([xml] $Help, [object[]] $Page)

    foreach ($command in $Help.GetElementsByTagName('command:command')) {
        $name = $command.GetElementsByTagName('command:name')[0].InnerText
        $parameters = $Page.Where({ $_.Title -eq $name }, 'First').Parameters
        foreach ($element in @($command.GetElementsByTagName('command:parameters')[0].GetElementsByTagName('command:parameter'))) {
            $default = $parameters.Where({ $_.Name -eq $element.GetElementsByTagName('maml:name')[0].InnerText }, 'First').DefaultValue
            if (-not $default) { continue }
            $type = $element.GetElementsByTagName('dev:type')[0]
            $value = $Help.CreateElement('dev:defaultValue', $type.NamespaceURI)
            $value.InnerText = $default
            $null = $element.InsertAfter($value, $type)
        }
    }
}

function Clear-RelativeLink {
    <# Links between the topics lead to files of docs/en-US. Get-Help has no such files, so it shows only the names. #>
    param([xml] $Help)

    foreach ($link in $Help.GetElementsByTagName('maml:navigationLink')) {
        foreach ($address in $link.GetElementsByTagName('maml:uri')) {
            if ($address.InnerText -notmatch '^https?:') { $address.InnerText = '' }
        }
    }
}

function Invoke-HelpTask {
    <# Makes en-US/IoBench-Help.xml, which Get-Help reads, from the Markdown in docs/en-US. #>
    Assert-Module -Name $platyPS -For 'The task Help'
    Update-AboutTopic
    $made = Join-Path $artifacts 'help'
    $source = [System.IO.Directory]::CreateDirectory((Join-Path $made 'source')).FullName
    $pages = @(
        foreach ($page in Get-ChildItem (Join-Path $root 'docs' 'en-US') -Filter '*-*.md') {
            $text = [System.IO.File]::ReadAllText($page.FullName)
            if ($HelpRoot) { $text = $text -replace '(?m)^HelpUri: .*$', "HelpUri: $HelpRoot$($page.BaseName)" }
            $copy = Join-Path $source $page.Name
            [System.IO.File]::WriteAllText($copy, $text)
            Import-MarkdownCommandHelp -Path $copy
        }
    )
    $null = $pages | Export-MamlCommandHelp -OutputFolder $made -Force
    $help = [xml]::new()
    $help.PreserveWhitespace = $true
    $help.Load((Join-Path $made 'IoBench' 'IoBench-Help.xml'))
    Set-ExampleCode -Help $help
    Add-DefaultValue -Help $help -Page $pages
    Clear-RelativeLink -Help $help
    $help.Save($helpFile)
    "help: $($pages.Count) topics in en-US/IoBench-Help.xml"
}

function Assert-Help {
    <# A package with a module but without help would reach users unnoticed, so it requires -WithoutHelp. #>
    $isMade = -not $NoBuild -and (Get-Module -ListAvailable -Name $platyPS)
    if ($WithoutHelp -or $isMade -or (Test-Path -LiteralPath $helpFile)) { return }
    throw "The package would have no help: en-US/IoBench-Help.xml is missing. Run Install-PSResource $platyPS, and then ./build.ps1 -Task Help. To make the package without help, add -WithoutHelp. Get-Help then shows only the syntax of the cmdlets."
}

function New-ModulePackage {
    <# The gallery-ready folder, and a zip of it for machines without internet. #>
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'A step of a task.')]
    param([string] $Package, [string] $Version)

    $module = Join-Path $Package 'IoBench' $Version
    foreach ($folder in 'lib', 'Private') {
        $null = New-Item -ItemType Directory -Path (Join-Path $module $folder)
    }
    foreach ($item in 'IoBench.psd1', 'IoBench.psm1', 'IoBench.Format.ps1xml', 'IoBench.Types.ps1xml', 'en-US', 'LICENSE') {
        Copy-Item -Path (Join-Path $root $item) -Destination $module -Recurse
    }
    if ($WithoutHelp) { Remove-Item -LiteralPath (Join-Path $module 'en-US' 'IoBench-Help.xml') -ErrorAction Ignore }
    Copy-Item -Path (Join-Path $root 'Private' '*.ps*1') -Destination (Join-Path $module 'Private')
    if (-not (Test-Path (Join-Path $root 'lib' 'IoBench.PowerShell.dll'))) {
        throw "lib has no assemblies. Run ./build.ps1 -Task Build first."
    }
    Copy-Item -Path (Join-Path $root 'lib' 'IoBench.*.dll') -Destination (Join-Path $module 'lib')
    [System.IO.Compression.ZipFile]::CreateFromDirectory((Join-Path $Package 'IoBench'), (Join-Path $Package "IoBench-$Version.zip"), 'Optimal', $true)
}

function New-ProgramPackage {
    <#
    Programs in one file that need no .NET: for Linux a native one, which starts in 20 ms and needs a C compiler here to be linked, for another processor one for that processor (Debian, Ubuntu: gcc-aarch64-linux-gnu).
    Where the runtime of a system cannot be had, one for all systems with .NET 10.
    #>
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'A step of a task.')]
    param([string] $Package, [string] $Project)

    $common = @(
        'publish', $Project, '-c', $Configuration, '-v', 'q', '-p:IoBenchFramework=net10.0', '-p:DebugType=none'
        '-p:PublishDocumentationFiles=false', '-p:PublishReferencesDocumentationFiles=false', "-p:ArtifactsPath=$(Join-Path $artifacts 'package-build')"
    )
    $missing = [System.Collections.Generic.List[string]]::new()
    foreach ($system in $Runtime) {
        $isNative = Test-NativeSystem -System $system
        $publish = $common + @('-o', (Join-Path $Package $system), '-r', $system, '--self-contained', ($isNative ? '-p:PublishAot=true' : '-p:PublishSingleFile=true'))
        try {
            $null = Invoke-Tool dotnet $publish
            "${system}: $($isNative ? 'a native program' : 'a program with its runtime in one file')"
        } catch {
            # A machine without the runtime packs of another system still gets everything else.
            Write-Warning "The program for $system was not made: $($_.Exception.Message)"
            $missing.Add($system)
        }
    }
    if ($missing.Count -gt 0) {
        $folder = Join-Path $Package 'portable'
        Invoke-Tool dotnet ($common + @('-o', $folder, '--no-self-contained', '-p:UseAppHost=false'))
        [System.IO.Compression.ZipFile]::CreateFromDirectory($folder, (Join-Path $Package 'iobench-portable.zip'))
        Remove-Item -LiteralPath $folder -Recurse -Force
        "iobench-portable.zip is for $($missing -join ', ') with .NET 10: dotnet iobench.dll"
    }
}

function Test-NativeSystem {
    <# Whether a native program of a system can be linked here. #>
    param([string] $System)

    switch ($System) {
        'linux-x64' { $true }
        'linux-arm64' { $IsLinux -and ([System.Runtime.InteropServices.RuntimeInformation]::OSArchitecture -eq 'Arm64' -or [bool](Get-Command aarch64-linux-gnu-gcc -CommandType Application -ErrorAction Ignore)) }
        default { $false }
    }
}

function Test-Package {
    <# Installs each package as its users will, in a folder of its own, and asks it for its workloads; a hash that is wrong is an error too. #>
    param([string] $Package, [string] $Version)

    $place = Join-Path ([System.IO.Path]::GetTempPath()) "iobench-package-$([guid]::NewGuid().ToString('N').Substring(0, 8))"
    $null = [System.IO.Directory]::CreateDirectory($place)
    try {
        foreach ($line in [System.IO.File]::ReadAllLines((Join-Path $Package 'SHA256SUMS'))) {
            $hash, $name = $line -split '  ', 2
            if ((Get-FileHash -Algorithm SHA256 -LiteralPath (Join-Path $Package $name)).Hash -ne $hash) {
                throw "$name is not what its hash says."
            }
        }
        if ($Part -contains 'Module') {
            # As on a machine without internet: the zip is extracted to a folder of PSModulePath, and PowerShell finds the module by its name.
            [System.IO.Compression.ZipFile]::ExtractToDirectory((Join-Path $Package "IoBench-$Version.zip"), $place)
            $ask = '$env:PSModulePath = $args[0]; Import-Module IoBench -ErrorAction Stop; [string](Get-Module IoBench).Version; (Get-IoWorkload sql-server).Name; [bool](Get-Help Invoke-IoTest).examples'
            $answer = @(pwsh -NoProfile -NonInteractive -Command "& { $ask } '$place'")
            if ($answer[0] -ne $Version -or $answer[1] -ne 'sql-server' -or $answer[2] -ne (-not $WithoutHelp)) {
                throw "The module from the zip does not work: $($answer -join '; ')"
            }
            "zip: unpacked and imported, $($WithoutHelp ? 'without help' : 'help found')"
        }
        if ($Part -contains 'Tool') {
            $tools = Join-Path $place 'tools'
            $null = Invoke-Tool dotnet @('tool', 'install', 'IoBench.Cli', '--tool-path', $tools, '--add-source', $Package, '--version', $Version)
            Assert-Program -Path (Join-Path $tools ($IsWindows ? 'iobench.exe' : 'iobench'))
            "tool: installed and run"
        }
        foreach ($program in Get-ChildItem -Path $Package -Recurse -File -Include iobench, iobench.exe) {
            $system = Split-Path -Leaf $program.DirectoryName
            $isOwn = $system -eq "$($IsWindows ? 'win' : 'linux')-$([System.Runtime.InteropServices.RuntimeInformation]::OSArchitecture)"
            if ($isOwn) { Assert-Program -Path $program.FullName }
            "${system}: $($isOwn ? 'run' : 'hash verified; it runs on another system')"
        }
        $portable = Join-Path $Package 'iobench-portable.zip'
        if (Test-Path $portable) {
            [System.IO.Compression.ZipFile]::ExtractToDirectory($portable, (Join-Path $place 'portable'))
            Assert-Program -Path 'dotnet' -Before (Join-Path $place 'portable' 'iobench.dll')
            'portable: run'
        }
    } finally {
        Remove-Item -LiteralPath $place -Recurse -Force
    }
}

function Assert-Program {
    <# The program starts and knows its workloads. #>
    param([string] $Path, [string[]] $Before = @())

    $answer = @(& $Path @Before workloads) -join "`n"
    if ($LASTEXITCODE -ne 0 -or $answer -notmatch 'sql-server') {
        throw "$Path does not work: exit code $LASTEXITCODE. $answer"
    }
}

function Invoke-SignTask {
    if (-not $IsWindows) {
        throw 'The task Sign needs Windows: only there PowerShell makes Authenticode signatures.'
    }
    if (-not $CertificateThumbprint) {
        throw 'The task Sign needs -CertificateThumbprint: that of a code-signing certificate (Get-ChildItem Cert:\CurrentUser\My -CodeSigningCert).'
    }
    $certificate = Get-ChildItem -Path Cert:\CurrentUser\My -CodeSigningCert | Where-Object Thumbprint -EQ $CertificateThumbprint
    if (-not $certificate) {
        throw "This account has no code-signing certificate $CertificateThumbprint (Get-ChildItem Cert:\CurrentUser\My -CodeSigningCert)."
    }
    # What others signed keeps their signature.
    $own = @('IoBench*.dll', 'iobench.dll', 'iobench.exe')
    $files = @(
        Get-ChildItem -Path $root -File -Include *.psd1, *.psm1, *.ps1xml, *.ps1 -Recurse -Depth 0
        Get-ChildItem -Path (Join-Path $root 'Private') -File | Where-Object Extension -In '.psd1', '.ps1'
        Get-ChildItem -Path (Join-Path $root 'lib') -File -Recurse -Include $own
        if (Test-Path $OutputPath) { Get-ChildItem -Path $OutputPath -File -Recurse -Include ($own + '*.psd1', '*.psm1', '*.ps1xml', '*.ps1') }
    )
    foreach ($file in $files) {
        $signature = Set-AuthenticodeSignature -LiteralPath $file.FullName -Certificate $certificate -HashAlgorithm SHA256 -TimestampServer $TimestampServer
        if ($signature.Status -ne 'Valid') {
            throw "$($file.FullName) was not signed: $($signature.StatusMessage)"
        }
    }
    "$($files.Count) files signed by $($certificate.Subject)"
}

function Invoke-PackageTask {
    if ($Part -contains 'Module') {
        Assert-Help
    }
    if (-not $NoBuild) {
        Invoke-BuildTask
    }
    $version = (Import-PowerShellDataFile (Join-Path $root 'IoBench.psd1')).ModuleVersion
    if (Test-Path $OutputPath) {
        Remove-Item -LiteralPath $OutputPath -Recurse -Force
    }
    $package = [System.IO.Directory]::CreateDirectory($OutputPath).FullName
    $project = Join-Path $root 'src' 'IoBench.Cli' 'IoBench.Cli.csproj'
    if ($Part -contains 'Module') {
        New-ModulePackage -Package $package -Version $version
    }
    if ($Part -contains 'Tool') {
        Invoke-Tool dotnet @('pack', $project, '-c', $Configuration, '-v', 'q', '-o', $package, '-p:IoBenchTool=true')
    }
    if ($Part -contains 'Program') {
        New-ProgramPackage -Package $package -Project $project
    }
    Get-ChildItem -Path $package -Recurse -File -Include *.zip, *.nupkg, iobench, iobench.exe |
        Get-FileHash -Algorithm SHA256 |
        ForEach-Object { "$($_.Hash.ToLowerInvariant())  $([System.IO.Path]::GetRelativePath($package, $_.Path).Replace('\', '/'))" } |
        Set-Content -LiteralPath (Join-Path $package 'SHA256SUMS')
    Test-Package -Package $package -Version $version
}

function Invoke-BenchTask {
    # What a script pays for the packed module: starts of pwsh with and without it take turns, so that what else goes on falls on both.
    $place = Join-Path $artifacts 'bench-package'
    if (Test-Path $place) {
        Remove-Item -LiteralPath $place -Recurse -Force
    }
    $version = (Import-PowerShellDataFile (Join-Path $root 'IoBench.psd1')).ModuleVersion
    New-ModulePackage -Package ([System.IO.Directory]::CreateDirectory($place).FullName) -Version $version
    $module = Join-Path $place 'IoBench' $version 'IoBench.psd1'
    $times = @{ With = [System.Collections.Generic.List[double]]::new(); Without = [System.Collections.Generic.List[double]]::new() }
    $pairs = 20
    foreach ($round in 0..$pairs) {
        foreach ($kind in 'Without', 'With') {
            $watch = [System.Diagnostics.Stopwatch]::StartNew()
            Invoke-Tool pwsh @('-NoProfile', '-NonInteractive', '-Command', ($kind -eq 'With' ? "Import-Module '$module'" : 'exit'))
            # The first round finds the files not yet in memory.
            if ($round -gt 0) { $times[$kind].Add($watch.Elapsed.TotalMilliseconds) }
        }
    }
    $difference = @(0..($pairs - 1) | ForEach-Object { $times.With[$_] - $times.Without[$_] } | Sort-Object)
    $middle = { param($sorted) ($sorted[[math]::Floor(($pairs - 1) / 2)] + $sorted[[math]::Ceiling(($pairs - 1) / 2)]) / 2 }
    $start = & $middle @($times.Without | Sort-Object)
    "Import of the packed module: $([math]::Round((& $middle $difference))) ms beyond pwsh itself (median of $pairs pairs; $([math]::Round($difference[0])) to $([math]::Round($difference[-1])); pwsh: $([math]::Round($start)) ms)"
    $measure = Join-Path $root 'Tests' 'Benchmarks' 'Measure-FirstStop.ps1'
    $stop = @(1..5 | ForEach-Object { [double](& pwsh -NoProfile -NonInteractive -File $measure -Module $module) } | Sort-Object)
    "The first stop of a run in a process: $($stop[2]) ms (median of 5; $($stop[0]) to $($stop[-1]))"
    Invoke-Tool dotnet @('run', '-c', 'Release', '--project', (Join-Path $root 'Tests' 'Benchmarks'))
}

foreach ($name in $Task) {
    & "Invoke-${name}Task"
}
